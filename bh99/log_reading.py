"""One way through a log: lines to events, and the problems of lines that are none."""

import io
from collections.abc import Iterator
from typing import IO, Final

import msgspec

from bh99 import log_checks
from bh99.errors import LogUnreadable, Problem
from bh99.line_fault import TOO_LONG, LineFault, fault_of_start
from bh99.log_files import MAX_LINE, DamagedFile, LineTooLong, texts
from domain.events import AnyEvent, GameOpened

MOST_PROBLEMS: Final = 20
MARK: Final = b"\xef\xbb\xbf"
"""The byte-order mark of UTF-8."""
BLANKS: Final = b" \t\r"

_decoder: Final = msgspec.json.Decoder(AnyEvent)
_encoder: Final = msgspec.json.Encoder()
_OPENING: Final = b'{"type":"game_opened"'
_CANT_DECODE: Final = (msgspec.DecodeError, RecursionError)  # ValidationError is a DecodeError


def _one_a_line(text: bytes) -> list[AnyEvent]:
    """The events of a text. Raises msgspec.DecodeError or RecursionError if not each line is one."""
    try:
        return list(map(_decoder.decode, io.BytesIO(text)))
    except msgspec.ValidationError:
        from bh99.spelling import events_respelled  # only logs with cards in other spellings pay for it

        return events_respelled(io.BytesIO(text))


def _written(events: list[AnyEvent]) -> bytes | None:
    """The events as we write them; None for what msgspec reads, but doesn't write (numbers of more than 64 bits)."""
    try:
        return _encoder.encode_lines(events)
    except (OverflowError, RecursionError):
        return None


def _is_odd(events: list[AnyEvent], written: bytes) -> bool:
    """Whether some name isn't fit to show, or a second log begins."""
    if log_checks.find(written, _OPENING, b"g") >= 0:
        return True
    return log_checks.names_need_a_look(written) and log_checks.unfit_names(events)


def event_or_none(line: bytes) -> AnyEvent | None:
    """The event in a line; None if there is none, or its cards are spelled otherwise."""
    try:
        return _decoder.decode(line)
    except _CANT_DECODE:
        return None


def event_that_may_stand(line: bytes, where: str = "") -> AnyEvent:
    """The event in a line that was made here. Raises ValueError, `where` first, for what the reader would refuse."""
    event = event_or_none(line)
    if event is None or len(line) > MAX_LINE or log_checks.unfit_names([event]):
        raise ValueError(f"{where}this can't stand in a log: {line[:200]!r}")
    return event


def event_in(line: bytes, name: str) -> AnyEvent:
    """The event in one line that stands somewhere behind the first. Raises LogUnreadable with all that is wrong."""
    reading = Reading(name)
    reading.lines = 1
    events = reading._line_by_line(line)
    if reading.problems or len(events) != 1:
        raise LogUnreadable(name, reading.problems or [Problem(name, "expected one event, as a line of a log")])
    return events[0]


class Reading:
    """One way through a log."""

    def __init__(self, name: str, any_rules: bool = False) -> None:
        """`any_rules`: the log is judged by other rules than it names, which needn't be known."""
        self.name = name
        self.any_rules = any_rules
        self.opened: GameOpened | None = None
        self.physical = 0  # lines read so far, as an editor counts them
        self.lines = 0  # the same without blank ones
        self.our_way = True  # whether it is written as we would write it, so far
        self.mark = self.returns = self.incomplete = self.stop = False
        self.problems: list[Problem] = []

    def batches(self, texts: Iterator[bytes | LineTooLong]) -> Iterator[list[AnyEvent]]:
        """See `Log.batches`; the texts of the file are taken to their end."""
        try:
            for text in texts:
                # Enough is known; but a damaged file only shows at its end that it is the cause.
                if self.stop or len(self.problems) >= MOST_PROBLEMS:
                    continue
                events = self.events_of(text)
                if events and not self.problems:
                    yield events
        except DamagedFile as damage:
            self.problems.insert(0, Problem(self.name, str(damage)))
        if not self.lines and not self.problems:
            self._add(LineFault("the log is empty; expected a game_opened on line 1"), None)

    def growing(self, texts: Iterator[bytes | LineTooLong]) -> Iterator[list[AnyEvent]]:
        """See `Log.growing`; ends where something is wrong."""
        try:
            for text in texts:
                events = self.events_of(text) if text else []
                if self.problems:
                    return
                if events or not text:
                    yield events
        except DamagedFile as damage:
            self.problems.insert(0, Problem(self.name, str(damage)))

    def first_event(self, file: IO[bytes]) -> GameOpened | None:
        """The first event, of which only its beginning is read; None if it must be looked at more closely."""
        try:
            for text in texts(file):
                if isinstance(text, LineTooLong):
                    return None
                self._opening(self._without_mark(text))
                if self.lines:
                    break
        except DamagedFile:
            return None
        return None if self.problems else self.opened

    def notes(self) -> list[str]:
        """What was passed over, in words."""
        notes = ["a byte-order mark was skipped"] if self.mark else []
        if self.returns:
            notes.append("carriage returns were skipped")
        blank = self.physical - self.lines
        if blank:
            were = "1 blank line was" if blank == 1 else f"{blank} blank lines were"
            notes.append(f"{were} skipped; lines are counted without them")
        if self.incomplete:
            notes.append("the last line is cut off: the log is incomplete")
        return notes

    def events_of(self, text: bytes | LineTooLong) -> list[AnyEvent]:
        """The events of the next piece of the file; what is wrong there is added to the problems."""
        if isinstance(text, LineTooLong):
            self.physical += 1
            self.lines += 1
            self._add(TOO_LONG, self.physical)
            return []
        text = self._without_mark(text)
        events: list[AnyEvent] = []
        start = self._opening(text, events)
        whole = text.rfind(b"\n") + 1
        if start < whole and not self.stop:
            events += self._whole_lines(text[start:whole] if start or whole < len(text) else text)
        if max(start, whole) < len(text) and not self.stop:
            events += self._last_line(text[max(start, whole) :])
        return events

    def _without_mark(self, text: bytes) -> bytes:
        """Looks at the first bytes of the log: skips a byte-order mark, refuses what isn't UTF-8."""
        if self.physical:
            return text
        if text.startswith(MARK):
            self.mark = True
            return text[len(MARK) :]
        fault = fault_of_start(text[:4])
        if fault is not None:
            self._add(fault, 1)
        return text

    def _opening(self, text: bytes, events: list[AnyEvent] | None = None) -> int:
        """Reads on up to the first line that isn't blank, if none was yet; gives the place behind it."""
        place = 0
        while not self.lines and not self.stop:
            end = text.find(b"\n", place) + 1
            if not end:
                break
            found = self._line_by_line(text[place:end])
            if events is not None:
                events += found
            place = end
        return place

    def _whole_lines(self, text: bytes) -> list[AnyEvent]:
        """The events of lines that are ended by a line feed."""
        if b"\r" in text:
            self.returns = True
            text = text.replace(b"\r\n", b"\n")
        if len(text) > MAX_LINE:
            return self._line_by_line(text)
        lines = None
        events = self._if_clean(text)
        if events is None and (b"\n\n" in text or text.startswith(b"\n")):
            kept = [line for line in io.BytesIO(text) if line != b"\n"]
            lines = text.count(b"\n")
            events = self._if_clean(b"".join(kept))
        if events is None:
            return self._line_by_line(text)
        self.lines += len(events)
        self.physical += len(events) if lines is None else lines
        return events

    def _if_clean(self, text: bytes) -> list[AnyEvent] | None:
        """The events of a text, one a line; None unless it is sure that nothing is wrong with them."""
        if self.our_way:
            events = self._as_we_write(text)
            if events is not None or self.our_way:
                return events
        written = None
        try:
            events = _one_a_line(text)
            written = _written(events)
        except _CANT_DECODE:
            return None
        if written is None or not log_checks.no_key_twice(text, written):
            return None
        return None if _is_odd(events, written) else events

    def _as_we_write(self, text: bytes) -> list[AnyEvent] | None:
        """The same for a text of which most lines are written as we would write them."""
        try:
            events = _decoder.decode_lines(text)
            written = _written(events)
        except _CANT_DECODE:
            self.our_way = False
            return None
        if written is None:
            return None
        # What reads back byte for byte as it was written is one event, and has no key twice.
        if written != text:
            otherwise = log_checks.lines_written_otherwise(text, written)
            if otherwise is None or 2 * len(otherwise) > len(events):
                self.our_way = False
                return None
            if any(event_or_none(line) is None or log_checks.key_twice(line) for line in otherwise):
                return None
        return None if _is_odd(events, written) else events

    def _line_by_line(self, text: bytes) -> list[AnyEvent]:
        """As `_whole_lines`, slower; tells which lines are bad. What only bad or odd lines need is imported then."""
        events: list[AnyEvent] = []
        lines: list[bytes] = []
        numbers: list[int] = []
        bad: list[tuple[int, LineFault]] = []
        respelled = False
        for line in text.removesuffix(b"\n").split(b"\n"):
            self.physical += 1
            if not line or not line.strip(BLANKS):
                continue
            self.lines += 1
            if line[-1] == 13:
                self.returns = True
            try:
                if len(line) > MAX_LINE:
                    raise msgspec.DecodeError
                event = None if respelled else event_or_none(line)
                if event is None:
                    from bh99.spelling import event_respelled

                    event = event_respelled(line)
                    respelled = True
            except _CANT_DECODE:
                from bh99.log_faults import fault_of_line

                bad.append((self.physical, TOO_LONG if len(line) > MAX_LINE else fault_of_line(line)))
                if len(bad) + len(self.problems) >= MOST_PROBLEMS:
                    break
                continue
            events.append(event)
            lines.append(line)
            numbers.append(self.physical)
            if self.lines == 1 and isinstance(event, GameOpened) and log_checks.opens_well(event, self.any_rules):
                self.opened = event
            elif self.lines == 1 or isinstance(event, GameOpened):
                from bh99.log_faults import fault_of_opening, fault_of_second_opening

                wrong = (
                    fault_of_opening(event, line, self.any_rules) if self.lines == 1 else fault_of_second_opening(line)
                )
                bad.append((self.physical, wrong))
        bad += self._faults_behind_decoding(lines, events, numbers)
        for number, fault in sorted(bad, key=_by_number):
            if not self.problems or self.problems[-1].line != number:
                self._add(fault, number)
        return events

    def _faults_behind_decoding(
        self, lines: list[bytes], events: list[AnyEvent], numbers: list[int]
    ) -> list[tuple[int, LineFault]]:
        """Keys that stand twice and names that aren't fit to show, in lines that could be decoded."""
        bad = []
        text = b"\n".join(lines)
        written = _written(events)
        if written is None or not log_checks.no_key_twice(text, written):
            from bh99.log_faults import fault_of_key_twice

            for line, number in zip(lines, numbers, strict=True):
                if log_checks.key_twice(line):
                    bad.append((number, fault_of_key_twice(line)))
        if log_checks.names_need_a_look(written) and log_checks.unfit_names(events):
            from bh99.log_faults import fault_of_names

            for line, event, number in zip(lines, events, numbers, strict=True):
                fault = fault_of_names(event, line)
                if fault is not None:
                    bad.append((number, fault))
        return bad

    def _last_line(self, line: bytes) -> list[AnyEvent]:
        """The event of a last line without a line feed, if it isn't cut off."""
        if not line.strip(BLANKS) or event_or_none(line) is not None:
            return self._line_by_line(line)
        from bh99.log_faults import is_cut_off

        if not is_cut_off(line):
            return self._line_by_line(line)
        self.physical += 1
        if self.lines:
            self.incomplete = True
        else:
            self._add(LineFault("the only line is cut off; expected a game_opened"), self.physical)
        self.lines += 1
        return []

    def _add(self, fault: LineFault, line: int | None) -> None:
        self.problems.append(Problem(self.name, fault.message, line, fault.column, fault.field))
        self.stop = self.stop or fault.last


def _by_number(numbered: tuple[int, LineFault]) -> int:
    return numbered[0]
