"""Many hosts, one truth: two importers, a worker and a reader use a store on a server at once, each a process of its
own. In the end the store has to hold and to answer what a store in files does with the same logs.

python examples/many_hosts.py postgresql://user@host/database LOG…
"""

import pathlib
import subprocess
import sys
import tempfile

import bh99

url, *logs = sys.argv[1:]
BH99 = str(pathlib.Path(sys.executable).with_name("bh99"))


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([BH99, *arguments, "--store", url], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


bh99.open_store(url).close()
follower = started("store", "follow")
importers = [started("import", *logs), started("import", *reversed(logs))]
asked = 0
while asked < 3 or any(importer.poll() is None for importer in importers):
    reader = started("stats")
    said = reader.communicate()[0].decode()
    if reader.returncode not in (0, 1):  # 1: some of the games have findings
        sys.exit(f"the reader ended with {reader.returncode}: {said}")
    asked += 1
for importer in importers:
    said = importer.communicate()[0].decode()
    if importer.returncode not in (0, 1):
        sys.exit(f"an importer ended with {importer.returncode}: {said}")
follower.terminate()
said = follower.communicate()[0].decode()
if follower.returncode:
    sys.exit(f"the worker ended with {follower.returncode}: {said}")

with tempfile.TemporaryDirectory() as folder, bh99.open_store(f"sqlite:///{folder}/games.sqlite") as files:
    for log in logs:
        files.import_log(log)
    with bh99.open_store(url) as server:
        faults = list(server.check())
        held = [sorted(map(store.export, store.game_ids())) for store in (files, server)]
        same = held[0] == held[1] and files.stats() == server.stats() and len(files.duty()) == len(server.duty())
        print(f"{len(logs)} logs imported twice at once, statistics asked {asked} times meanwhile: {server.digest()}")
if faults or not same:
    sys.exit(f"not what files give; {faults}")
print("the same as in files")
