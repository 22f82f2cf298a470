"""What the README and pages of docs/ show is run, and what they print is what comes out."""

import doctest
import importlib
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("README.md", "docs/command-line.md", "docs/simulating.md", "docs/whatif.md")
PYTHON = ("README.md", "docs/dealing.md", "docs/scripts.md")
DOCS = [f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))]
RUN = (sys.executable, "-u", "-c", "from cli.main import run; run()")
STORE = "sqlite:///games.sqlite"
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: str, *languages: str) -> list[str]:
    """The fenced blocks of a page in these languages."""
    return [text for language, text in FENCE.findall((ROOT / page).read_text("utf-8")) if language in languages]


def sessions(page: str) -> list[tuple[str, str]]:
    """Every command of the `console` blocks, with the output shown for it."""
    shown = []
    for block in blocks(page, "console"):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            shown.append((command, output))
    return shown


def plain_commands(page: str) -> list[str]:
    """The commands of the `sh` blocks that call bh99; installing and pytest are left to whoever reads."""
    lines = [line for block in blocks(page, "sh") for line in block.splitlines()]
    parts = [part.strip().removeprefix("uv run ") for line in lines for part in line.split("&&")]
    return [part for part in parts if part.startswith("bh99 ")]


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a bh99 command in a folder, as on a terminal of 80 columns."""
    name, *arguments = shlex.split(command)
    assert name == "bh99", f"only bh99 commands are shown in console blocks: {command}"
    return subprocess.run(
        [*RUN, *arguments],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80", "PYTHONUTF8": "1", "PYTHONPATH": str(ROOT), "BH99_STORE": STORE},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
    )


def matches(shown: str, printed: str) -> bool:
    """Whether the output is as shown; a line `…` stands for any lines."""
    pieces = [re.escape(piece) for piece in re.split(r"^…\n", shown, flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*".join(pieces), printed) is not None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the recorded games, where commands may write."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_commands_print_what_the_page_shows(page: str, folder: Path) -> None:
    """In the order of the page, as what one stores the next may ask for."""
    for command, shown in sessions(page):
        result = run(command, folder)
        assert result.returncode in (0, 1), (command, result.stdout)
        assert matches(shown, result.stdout), (command, result.stdout)


@pytest.mark.parametrize("command", plain_commands("README.md"))
def test_the_first_command_of_the_readme_works(command: str, folder: Path) -> None:
    result = run(command, folder)
    assert result.returncode in (0, 1), result.stdout
    assert result.stdout.strip()


def test_the_readme_shows_commands_and_python() -> None:
    assert sessions("README.md")
    assert plain_commands("README.md")
    assert blocks("README.md", "pycon")


@pytest.mark.parametrize("page", PYTHON)
def test_the_python_examples_of_a_page_give_what_they_show(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for number, block in enumerate(blocks(page, "pycon")):
        test = doctest.DocTestParser().get_doctest(block, {}, f"{page}, example {number + 1}", page, 0)
        assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("module", ["bh99", "bh99.chance", "bh99.rows"])
def test_the_example_of_a_module_gives_what_it_shows(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted and not result.failed


@pytest.mark.parametrize("page", ["README.md", "fixtures/README.md", "examples/README.md", *DOCS])
def test_links_and_paths_of_a_page_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text("utf-8")
    links = re.findall(r"\]\((?!https?:|#)([^)#]+)", text)
    folders = "benchmarks|bh99|cli|docs|domain|examples|fixtures|projections|tests"
    named = re.findall(rf"`((?:{folders})/[\w./-]*)`", text)
    missing = [link for link in links if not (ROOT / page).parent.joinpath(link).exists()]
    missing += [path for path in named if not (ROOT / path).exists()]
    assert missing == []
