"""Many hosts, one truth: two importers, a worker and a reader use a store on a server at once, each a process of its
own. In the end the store has to hold and to answer what a store in files does with the same logs.

python examples/many_hosts.py postgresql://user@host/database LOG…
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from typing import IO

import bh99

url, *logs = sys.argv[1:]
BH99 = str(pathlib.Path(sys.executable).with_name("bh99"))


def started(output: IO[bytes], *arguments: str) -> subprocess.Popen[bytes]:
    """A command; its store is told where nobody reads it, as its URL may hold a password."""
    env = {**os.environ, "BH99_STORE": url}
    return subprocess.Popen([BH99, *arguments], env=env, stdout=output, stderr=subprocess.STDOUT)


def ended(process: subprocess.Popen[bytes], output: IO[bytes]) -> None:
    if process.wait() not in (0, 1):  # 1: some of the games have findings
        output.seek(0)
        sys.exit(f"{process.args!r} ended with {process.returncode}: {output.read().decode()}")


bh99.open_store(url).close()
with tempfile.TemporaryFile() as output:
    worker = started(output, "store", "follow")
    importers = [started(output, "import", *logs), started(output, "import", *reversed(logs))]
    try:
        asked = 0
        while asked < 3 or any(importer.poll() is None for importer in importers):
            ended(started(output, "stats"), output)
            asked += 1
        for importer in importers:
            ended(importer, output)
    finally:
        worker.terminate()
        for importer in importers:
            importer.kill()
    ended(worker, output)

with tempfile.TemporaryDirectory() as folder, bh99.open_store(f"sqlite:///{folder}/games.sqlite") as files:
    for log in logs:
        files.import_log(log)
    with bh99.open_store(url) as server:
        held = [sorted(map(store.export, store.game_ids())) for store in (files, server)]
        answers = [(store.stats(), store.stats(by="rules"), store.findings()) for store in (files, server)]
        faults = list(server.check())
        print(f"{len(logs)} logs imported twice at once, statistics asked {asked} times meanwhile: {server.digest()}")
if faults or held[0] != held[1] or answers[0] != answers[1]:
    sys.exit(f"not what files give; {faults}")
print("the same as in files")
