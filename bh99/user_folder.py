"""The folder of the user's data for this program."""


def data_folder() -> str:
    """Its path; it needn't be there."""
    from platformdirs import user_data_dir

    return user_data_dir("bh99", appauthor=False)
