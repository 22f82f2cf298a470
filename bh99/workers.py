"""The same work on many logs: one after the other, or large ones in as many processes as there are processors."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Final, Protocol, TypeVar


class Named(Protocol):
    """A job about a log of this name."""

    @property
    def name(self) -> str: ...


Job = TypeVar("Job", bound=Named)
Answer = TypeVar("Answer")
WORTH_A_PROCESS: Final = 2 << 20
"""Bytes of logs from which on a second process pays for its start."""


def each(work: Callable[[Job], Answer], jobs: Sequence[Job], stopped: Callable[[Job], Answer]) -> Iterator[Answer]:
    """The answers, in the order of the jobs. `stopped`: the answer to a job whose process was ended from outside."""
    names = [job.name for job in jobs]
    processes = min(len(jobs), os.cpu_count() or 1)
    if processes < 2 or "-" in names or sum(map(_size, names)) < WORTH_A_PROCESS:
        yield from map(work, jobs)
        return
    yield from in_processes(work, jobs, processes, stopped)


def in_processes(
    work: Callable[[Job], Answer], jobs: Sequence[Job], processes: int, stopped: Callable[[Job], Answer]
) -> Iterator[Answer]:
    """The answers of so many processes, in the order of the jobs. The processes end with this one, whatever ends it."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    pool = ProcessPoolExecutor(processes, initializer=_end_with_parent)
    try:
        for job, answer in [(job, pool.submit(work, job)) for job in jobs]:
            try:
                yield answer.result()
            except BrokenProcessPool:
                yield stopped(job)
        pool.shutdown()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in multiprocessing.active_children():
            worker.kill()
        raise


def _end_with_parent() -> None:
    """In a worker: leave interrupts to the parent, and end when it does."""
    import multiprocessing
    import signal
    import threading
    from multiprocessing.connection import wait

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:

        def watch() -> None:
            wait([parent.sentinel])
            os._exit(1)

        threading.Thread(target=watch, daemon=True).start()


def _size(name: str) -> int:
    try:
        return os.path.getsize(name)
    except OSError:
        return 0
