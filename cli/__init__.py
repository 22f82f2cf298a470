"""The command line. `start` is what the `bh99` script runs."""


def start() -> None:
    """Run `bh99` without looking for garbage in circles: a command makes none worth the tenth of its start-up."""
    import gc

    gc.disable()
    from cli.main import run

    run()
