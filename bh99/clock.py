"""The time, where it is read: everything else is given a clock."""

import datetime
from typing import Final

import msgspec

from domain.events import Instant

_moment: Final = msgspec.json.Decoder(Instant)
_encoder: Final = msgspec.json.Encoder()


NIGHT: Final = datetime.timedelta(hours=6)
"""What begins before six in the morning belongs to the evening before."""


def date_of_evening(moment: datetime.datetime) -> datetime.date:
    """The date of the evening that a moment belongs to, as clocks show it there."""
    return (moment - NIGHT).date()


def now() -> datetime.datetime:
    """This moment, in UTC, to the second: a plain datetime whatever a test has put in the place of the class."""
    text = datetime.datetime.now(datetime.UTC).replace(microsecond=0).isoformat()
    return _moment.decode(_encoder.encode(text))
