# SPDX-License-Identifier: MIT
"""Publishes the performance counters of a map file from a Python program, by prfdata.dll.

    import prfdata

    with prfdata.open("queues.prfmap") as publisher:
        mail = publisher.add("QUEUES", "mail")
        jobs = mail.counter("QUEUES_JOBS")
        jobs.increment()
        with mail.average("QUEUES_JOB_TIME").timer():
            ...

No call raises. If something could not be opened, added or found, its counters count in memory that no
reader sees. Publisher.status says why, and the attribute error of an instance, a counter and so on is
a Windows error code, or 0. An argument that cannot be used changes nothing, and a RuntimeWarning says
what was expected. Only the import raises, if the library cannot be loaded or has another version.
"""
import contextlib
import ctypes
import math
import os
import sys
import warnings

_VERSION = 1
_NAME = {"win32": "prfdata.dll", "darwin": "libprfdata.dylib"}.get(sys.platform, "libprfdata.so")
_STATUS_BYTES = 1536


_NO_ID = 0xFFFFFFFF
_INVALID_PARAMETER = 87  # Windows' ERROR_INVALID_PARAMETER


class _Sizes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32)
                for name in ("handle", "pair", "instance", "exclusive", "distribution")]


def _library_path():
    """Return the library's full path: PRFDATA_LIBRARY, or a file next to this file, the main script or
    the program.

    The system's search is not used, because it may include folders of other users.
    """
    if os.environ.get("PRFDATA_LIBRARY"):
        return os.path.abspath(os.environ["PRFDATA_LIBRARY"])
    main = getattr(sys.modules.get("__main__"), "__file__", None)
    folders = [os.path.dirname(os.path.abspath(name)) for name in (__file__, main, sys.executable) if name]
    for folder in folders:
        if os.path.exists(os.path.join(folder, _NAME)):
            return os.path.join(folder, _NAME)
    raise ImportError(f"prfdata: {_NAME} is in none of {', '.join(folders)}. Put it, for the bitness of "
                      "this Python, next to prfdata.py, or its path into PRFDATA_LIBRARY")


def _load():
    path = _library_path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"prfdata: {path} cannot be loaded ({error}). Put {_NAME}, for the bitness "
                          "of this Python, next to prfdata.py, or its path into PRFDATA_LIBRARY") from None
    pointer, u32, i64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int64
    for name, result, *arguments in (
            ("prfdata_open_file", u32, ctypes.c_wchar_p, pointer),
            ("prfdata_set_private", None, ctypes.c_int),
            ("prfdata_close", None, pointer),
            ("prfdata_status", u32, pointer, ctypes.c_char_p, ctypes.c_size_t),
            ("prfdata_retry", u32, pointer),
            ("prfdata_instance_add", u32, pointer, u32, ctypes.c_wchar_p, pointer, pointer),
            ("prfdata_instance_find", u32, pointer, u32, ctypes.c_wchar_p, pointer, pointer),
            ("prfdata_instance_remove", u32, pointer),
            ("prfdata_resolve", u32, pointer, u32, pointer, pointer),
            ("prfdata_resolve_pair", u32, pointer, u32, pointer, pointer),
            ("prfdata_resolve_distribution", u32, pointer, u32, pointer, pointer),
            ("prfdata_begin", None, pointer),
            ("prfdata_end", None, pointer),
            ("prfdata_call_version", u32),
            ("prfdata_call_get_sizes", None, pointer),
            ("prfdata_call_find_id", u32, pointer, ctypes.c_char_p, pointer),
            ("prfdata_call_increment", None, pointer),
            ("prfdata_call_decrement", None, pointer),
            ("prfdata_call_add", None, pointer, i64),
            ("prfdata_call_set", None, pointer, i64),
            ("prfdata_call_raise", None, pointer, i64),
            ("prfdata_call_get", i64, pointer),
            ("prfdata_call_average_add", None, pointer, i64),
            ("prfdata_call_get_value", i64, pointer),
            ("prfdata_call_get_base", i64, pointer),
            ("prfdata_call_elapsed_start", None, pointer),
            ("prfdata_call_elapsed_stop", None, pointer),
            ("prfdata_call_timer_start", ctypes.c_uint64, pointer),
            ("prfdata_call_timer_stop", None, pointer, ctypes.c_uint64),
            ("prfdata_call_record", None, pointer, ctypes.c_uint64),
            ("prfdata_call_record_start", ctypes.c_uint64),
            ("prfdata_call_record_since", None, pointer, ctypes.c_uint64),
            ("prfdata_call_recorded_count", ctypes.c_uint64, pointer),
            ("prfdata_call_recorded_sum", ctypes.c_uint64, pointer),
            ("prfdata_call_recorded_mean", ctypes.c_uint64, pointer),
            ("prfdata_call_recorded_percentile", ctypes.c_uint64, pointer, u32),
            ("prfdata_call_recorded_maximum", ctypes.c_uint64, pointer)):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if library.prfdata_call_version() != _VERSION:
        raise ImportError(f"{_NAME} has version {library.prfdata_call_version()} of its calls, and "
                          f"this module is written for {_VERSION}; use both from the same release of PrfData.")
    return library


_library = _load()
_sizes = _Sizes()
_library.prfdata_call_get_sizes(ctypes.byref(_sizes))


def _refuse(method, expected, value):
    """Warn about the line that called this module. Return an error code for the mistake."""
    level, frame = 1, sys._getframe()  # pylint: disable=protected-access
    while frame.f_back and frame.f_code.co_filename == __file__:
        level, frame = level + 1, frame.f_back
    shown = type(value).__name__
    if type(value) in (str, bytes, float):  # a subclass may do anything when it is shown
        shown += f" {value!r:.40}"
    warnings.warn(f"prfdata: {method} expects {expected}, not {shown}; nothing was done",
                  RuntimeWarning, stacklevel=level)
    return _INVALID_PARAMETER


def _whole(method, value, least=-2 ** 63):
    """Return `value` without its fraction, or None if it is no number from `least` to 2**63 - 1."""
    try:
        number = math.trunc(value)
        if least <= number < 2 ** 63:
            return number
    except Exception:  # pylint: disable=broad-except # an object's own __trunc__ may raise anything
        pass
    _refuse(method, "a number from 0 to 2**63 - 1" if least == 0 else "a number that fits into 64 bits",
            value)
    return None


def _is_a(value, kind):
    """Return whether the class of `value` is `kind` or inherits it. Runs no code of the value."""
    return issubclass(type(value), kind)


def _text(method, what, value):
    """Return `value` as a plain str, or None if C cannot represent it. Runs no code of the value."""
    if _is_a(value, str):
        plain = str.__str__(value)
        try:
            plain.encode()
            if "\0" not in plain:
                return plain
        except UnicodeEncodeError:  # half of a surrogate pair
            pass
    _refuse(method, f"{what} as a str without NUL", value)
    return None


def _path(value):
    """Return the path that the value stands for; the value itself if it stands for none."""
    try:
        return value if _is_a(value, str) else os.fspath(value)
    except Exception:  # pylint: disable=broad-except # an object's own __fspath__ may raise anything
        return value


class Counter:
    """A counter of one instance. Any thread may call any method at any time."""

    def __init__(self, publisher, name, instance):
        self._handle = ctypes.create_string_buffer(_sizes.handle)
        self.error = _library.prfdata_resolve(publisher.pointer, publisher.id_of("counter()", name),
                                              instance, self._handle)

    def increment(self):
        _library.prfdata_call_increment(self._handle)

    def add(self, amount):
        number = _whole("Counter.add()", amount)
        if number is not None:
            _library.prfdata_call_add(self._handle, number)

    def decrement(self):
        """Subtract one. Only for gauges, whose values go up and down."""
        _library.prfdata_call_decrement(self._handle)

    def set(self, value):
        """Set the value. Only for gauges."""
        number = _whole("Counter.set()", value)
        if number is not None:
            _library.prfdata_call_set(self._handle, number)

    def raise_to(self, value):
        """Raise the counter to `value` if its own value is smaller."""
        number = _whole("Counter.raise_to()", value)
        if number is not None:
            _library.prfdata_call_raise(self._handle, number)

    def start(self):
        """Let a counter of the type PERF_ELAPSED_TIME show the time since this call."""
        _library.prfdata_call_elapsed_start(self._handle)

    def stop(self):
        """Let a counter of the type PERF_ELAPSED_TIME show no time."""
        _library.prfdata_call_elapsed_stop(self._handle)

    @property
    def value(self):
        """The value that this publisher alone has counted."""
        return _library.prfdata_call_get(self._handle)


class Average:
    """A counter with its base: an average, a fraction, a timer."""

    def __init__(self, publisher, name, instance):
        self._pair = ctypes.create_string_buffer(_sizes.pair)
        self.error = _library.prfdata_resolve_pair(publisher.pointer, publisher.id_of("average()", name),
                                                   instance, self._pair)

    def add(self, amount):
        """Count one operation, and add `amount` to the sum."""
        number = _whole("Average.add()", amount)
        if number is not None:
            _library.prfdata_call_average_add(self._pair, number)

    @property
    def value(self):
        """The sum of the amounts, or of the ticks of a timer."""
        return _library.prfdata_call_get_value(self._pair)

    @property
    def base(self):
        """The number of operations, or the whole of a fraction."""
        return _library.prfdata_call_get_base(self._pair)

    @contextlib.contextmanager
    def timer(self):
        """Count the with block as one operation, with its duration, even if the block raises."""
        started = _library.prfdata_call_timer_start(self._pair)
        try:
            yield
        finally:
            _library.prfdata_call_timer_stop(self._pair, started)


class Distribution:
    """A distribution of recorded values. Counters of the map show its percentiles, means and counts."""

    def __init__(self, publisher, number, instance):
        self._memory = ctypes.create_string_buffer(_sizes.distribution)
        number = _whole("distribution()", number, 0)
        self.error = _library.prfdata_resolve_distribution(
            publisher.pointer, _NO_ID if number is None else min(number, _NO_ID), instance, self._memory)

    def record(self, value):
        """Record one value, 0 or more, in the distribution's unit."""
        number = _whole("Distribution.record()", value, 0)
        if number is not None:
            _library.prfdata_call_record(self._memory, number)

    @property
    def count(self):
        """The number of values recorded by this publisher. This and the next four members are for tests."""
        return _library.prfdata_call_recorded_count(self._memory)

    @property
    def sum(self):
        return _library.prfdata_call_recorded_sum(self._memory)

    @property
    def mean(self):
        return _library.prfdata_call_recorded_mean(self._memory)

    @property
    def maximum(self):
        """The greatest of the values, within the precision of the map."""
        return _library.prfdata_call_recorded_maximum(self._memory)

    def percentile(self, share):
        """A percentile, within the precision of the map.

        `share` / 10,000 of the values are not larger than the percentile (5000: the median).
        """
        number = _whole("Distribution.percentile()", share, 0)
        return _library.prfdata_call_recorded_percentile(self._memory, min(number or 0, 10000))

    @contextlib.contextmanager
    def timer(self):
        """Record how long the with block lasts, however it ends. The distribution's unit must be 100ns."""
        started = _library.prfdata_call_record_start()
        try:
            yield
        finally:
            _library.prfdata_call_record_since(self._memory, started)


class Instance:
    """An instance of an object, or an object without instances."""

    def __init__(self, publisher, memory, error):
        self._publisher = publisher
        self.memory = memory
        self.error = error

    def counter(self, name):
        return Counter(self._publisher, name, self.memory)

    def average(self, name):
        return Average(self._publisher, name, self.memory)

    def distribution(self, number):
        """Find a distribution by its number, because it has no symbol in a map file."""
        return Distribution(self._publisher, number, self.memory)

    def remove(self):
        _library.prfdata_instance_remove(self.memory)

    @contextlib.contextmanager
    def together(self):
        """Let readers see all updates inside the with block together. The block must be short."""
        _library.prfdata_begin(self.memory)
        try:
            yield
        finally:
            _library.prfdata_end(self.memory)


class Publisher:
    """Publishes the counters of one map file. Keep the Publisher for as long as the program runs.

    It is closed at the end of a with block.
    """

    def __init__(self, path):
        self.pointer = ctypes.c_void_p()
        self._ids = {}
        self._ended = None  # the text of `status` if there is no publisher; None: `status` asks the library
        name = _text("open()", "the path of a map file", _path(path))
        if name is not None:
            self.error = _library.prfdata_open_file(name, ctypes.byref(self.pointer))
        else:
            self.error = _INVALID_PARAMETER
            self._ended = "The path of the map file is not a str without NUL."

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def id_of(self, method, name):
        """Return the id of a symbol of the map file, or the highest number if the map does not have it."""
        name = _text(method, "a symbol of the map file", name)
        if name is None:
            return _NO_ID
        if name not in self._ids:
            found = ctypes.c_uint32(_NO_ID)
            _library.prfdata_call_find_id(self.pointer, name.encode(), ctypes.byref(found))
            self._ids[name] = found.value
        return self._ids[name]

    @property
    def status(self):
        """Say in a sentence whether readers see the counters, and if not, why."""
        if self._ended:
            return self._ended
        text = ctypes.create_string_buffer(_STATUS_BYTES)
        _library.prfdata_status(self.pointer, text, _STATUS_BYTES)
        return text.value.decode()

    def retry(self):
        """Try again to publish. Returns a Windows error code, or 0."""
        return _library.prfdata_retry(self.pointer)

    def add(self, object_name, name, parent=None):
        """Add an instance by name.

        `parent` is an instance of the parent object, or None if the object has none.
        """
        return self._look_up(_library.prfdata_instance_add, "add()", object_name, name, parent)

    def find(self, object_name, name, parent=None):
        """Find an instance that was added before."""
        return self._look_up(_library.prfdata_instance_find, "find()", object_name, name, parent)

    def _look_up(self, function, method, object_name, name, parent):
        memory = ctypes.create_string_buffer(_sizes.instance)
        error = _INVALID_PARAMETER
        if parent is not None and not _is_a(parent, Instance):
            _refuse(method, "an instance as the parent", parent)
            return Instance(self, memory, error)
        name = _text(method, "the name of an instance", name)
        if name is not None:
            error = function(self.pointer, self.id_of(method, object_name), name,
                             None if parent is None else parent.memory, memory)
        return Instance(self, memory, error)

    @property
    def single(self):
        """The instance for the counters of objects without instances."""
        return Instance(self, None, 0)

    def close(self):
        """Hide the instances. Their counts stay in the totals. A second call does nothing."""
        pointer, self.pointer = self.pointer, ctypes.c_void_p()
        self._ended = self._ended or "The publisher is closed."
        _library.prfdata_close(pointer)


def open(path):  # pylint: disable=redefined-builtin
    """Publish the counters of a map file. See Publisher.error and Publisher.status."""
    return Publisher(path)


def set_private(is_private):
    """For unit tests: set whether publishers that are opened from now on count only for this process."""
    if _is_a(is_private, int):  # bool inherits int
        _library.prfdata_set_private(0 if int.__eq__(is_private, 0) else 1)
    else:
        _refuse("set_private()", "True or False", is_private)
