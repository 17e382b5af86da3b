# SPDX-License-Identifier: MIT
"""Call every function of bindings/python with values of every type: sweep.py MAP.

No call may raise or end Python, a refused value must change nothing, and each refusal must say what
was expected.
"""
import decimal
import fractions
import pathlib
import sys
import warnings

import prfdata


class Hostile:
    """An object that fails in every conversion."""

    def __trunc__(self):
        raise KeyError("trunc")

    def __fspath__(self):
        raise KeyError("fspath")

    def __bool__(self):
        raise KeyError("bool")

    def __repr__(self):
        raise KeyError("repr")

    @property
    def __class__(self):
        raise KeyError("class")


class HostileText(str):
    """A text that fails in every operation."""

    def fail(self, *_):
        raise KeyError("text")

    encode = __str__ = __repr__ = __len__ = __eq__ = __hash__ = __contains__ = __iter__ = fail


class OtherText(str):
    """A text that is encoded as a number."""

    def encode(self, *_):
        return 5


# Each row: a value, and the amount by which it changes a counter. If the amount is None, the
# counter ignores the value.
AMOUNTS = [(5, 5), (1.5, 1), (-0.5, 0), (-3, -3), (True, 1), (2 ** 62, 2 ** 62), (decimal.Decimal("2.7"), 2),
           (fractions.Fraction(7, 2), 3), (2 ** 63, None), (-2 ** 64, None), (10 ** 5000, None),
           (float("nan"), None), (float("inf"), None), ("7", None), ("", None), (b"x", None), (None, None),
           ([], None), ({}, None), (1j, None), (object(), None), (len, None), (Hostile(), None)]
NAMES = [5, 1.5, None, True, b"mail", [], {}, object(), len, HostileText("no symbol\0"), "a\0b", "\ud800", "", "x" * 100000, Hostile()]


def wrap(number):
    """Return a number as 64 bits represent it."""
    return (number + 2 ** 63) % 2 ** 64 - 2 ** 63


def sweep_private(path):
    """Count as a unit test does: each publisher begins at 0."""
    prfdata.set_private(True)
    for _ in range(2):
        with prfdata.open(path) as publisher:
            assert not publisher.error
            mail, uptime = publisher.add("QUEUES", "mail"), publisher.single.counter("UPTIME_OPEN")
            jobs, time, size = mail.counter("QUEUES_JOBS"), mail.average("QUEUES_JOB_TIME"), mail.distribution(10)
            jobs.add(5)
            time.add(3)
            size.record(1000)
            size.record(500)
            assert (jobs.value, time.value, time.base, size.count, size.sum, size.mean) == (5, 3, 1, 2, 1500, 750)
            assert 900 < size.maximum <= 1100 and size.percentile(10000) == size.maximum
            assert uptime.error == 0 and uptime.value == 0
            uptime.start()
            assert uptime.value > 0
            uptime.stop()
            assert uptime.value == 0
    prfdata.set_private(False)


def sweep(path):
    publisher = prfdata.open(pathlib.Path(path))
    mail = publisher.add("QUEUES", "mail")
    jobs, depth = mail.counter("QUEUES_JOBS"), mail.counter("QUEUES_DEPTH")
    time, size = mail.average("QUEUES_JOB_TIME"), mail.distribution(10)
    assert not mail.error + jobs.error + depth.error + time.error + size.error
    for value, expected in AMOUNTS:
        before = jobs.value
        jobs.add(value)
        assert jobs.value == wrap(before + (expected or 0)), type(value)
        depth.set(1000)
        depth.set(value)
        assert depth.value == (1000 if expected is None else expected), type(value)
        depth.raise_to(value)
        time.add(value)
        size.record(value)
    for value in [-1, 0, 1.5, 10000, 2 ** 40, 2 ** 64, None, "x", Hostile()]:
        assert 0 <= size.percentile(value) <= size.maximum, type(value)
    assert size.count and size.sum and size.mean and time.base and isinstance(time.value, int)
    for name in NAMES:
        for error in (publisher.add(name, "mail").error, publisher.find(name, "mail").error,
                      publisher.add("QUEUES", name).error, mail.counter(name).error, mail.average(name).error,
                      prfdata.open(name).error):
            assert error, type(name)
        assert name is None or publisher.add("QUEUES", "x", name).error, type(name)
        mail.counter(name).increment()  # counts where no reader sees it
        assert type(name) in (int, float, bool) or mail.distribution(name).error
    assert mail.distribution(-1).error and mail.distribution(2 ** 40).error
    assert mail.counter(OtherText("QUEUES_JOBS")).error == 0  # only its characters matter
    prfdata.set_private(Hostile())
    publisher.single.remove()
    publisher.close()
    publisher.close()
    jobs.increment()
    size.record(1)
    with time.timer(), mail.together():
        pass
    mail.remove()
    assert publisher.add("QUEUES", "late").error and mail.counter("QUEUES_JOBS").error
    assert publisher.retry() and publisher.status == "The publisher is closed."
    assert "NUL" in prfdata.open("a\0b").status
    sweep_private(path)
    with prfdata.open(path) as second:
        assert second.pointer
    assert not second.pointer


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    sweep(sys.argv[1])
said = {str(warning.message) for warning in caught}
assert "prfdata: Counter.add() expects a number that fits into 64 bits, not str '7'; nothing was done" in said
assert "prfdata: add() expects the name of an instance as a str without NUL, not int; nothing was done" in said
assert {warning.filename for warning in caught} == {__file__}, "a warning points elsewhere"
print("swept")
