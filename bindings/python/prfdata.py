# SPDX-License-Identifier: MIT
"""Performance counters for Python programs: what a map file declares, published by prfdata.dll.

    import prfdata

    publisher = prfdata.open("queues.prfmap")
    mail = publisher.add("QUEUES", "mail")
    jobs = mail.counter("QUEUES_JOBS")
    jobs.increment()
    with mail.average("QUEUES_JOB_TIME").timer():
        ...
    publisher.close()

Nothing here raises because counting does not work: a counter of what could not be opened, added or
found counts where no reader sees it. Publisher.status says why; the attribute error of an instance,
a counter and so on is a Windows error code, 0 if the map has it.
"""
import contextlib
import ctypes
import os
import sys

_VERSION = 1
_NAME = {"win32": "prfdata.dll", "darwin": "libprfdata.dylib"}.get(sys.platform, "libprfdata.so")
_STATUS_BYTES = 1536


class _Sizes(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32)
                for name in ("handle", "pair", "instance", "exclusive", "distribution")]


def _load():
    """The library beside this file, else wherever the system looks for it. PRFDATA_LIBRARY: there."""
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), _NAME)
    path = os.environ.get("PRFDATA_LIBRARY") or (beside if os.path.exists(beside) else _NAME)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"prfdata: {path} cannot be loaded ({error}). Put {_NAME}, for the bitness "
                          "of this Python, beside prfdata.py, or its path into PRFDATA_LIBRARY") from None
    pointer, u32, i64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_int64
    for name, result, *arguments in (
            ("prfdata_open_file", u32, ctypes.c_wchar_p, pointer),
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
            ("prfdata_call_timer_start", ctypes.c_uint64, pointer),
            ("prfdata_call_timer_stop", None, pointer, ctypes.c_uint64),
            ("prfdata_call_record", None, pointer, ctypes.c_uint64),
            ("prfdata_call_record_start", ctypes.c_uint64),
            ("prfdata_call_record_since", None, pointer, ctypes.c_uint64)):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    if library.prfdata_call_version() != _VERSION:
        raise ImportError(f"{_NAME} has version {library.prfdata_call_version()} of its calls, and "
                          f"this module is written for {_VERSION}; use the two of one PrfData.")
    return library


_library = _load()
_sizes = _Sizes()
_library.prfdata_call_get_sizes(ctypes.byref(_sizes))


class Counter:
    """A counter of one instance. Any thread may call any method at any time."""

    def __init__(self, publisher, name, instance):
        self._handle = ctypes.create_string_buffer(_sizes.handle)
        self.error = _library.prfdata_resolve(publisher.pointer, publisher.id_of(name), instance,
                                              self._handle)

    def increment(self):
        _library.prfdata_call_increment(self._handle)

    def add(self, amount):
        _library.prfdata_call_add(self._handle, amount)

    def decrement(self):
        """Gauges only."""
        _library.prfdata_call_decrement(self._handle)

    def set(self, value):
        """Gauges only."""
        _library.prfdata_call_set(self._handle, value)

    def raise_to(self, value):
        _library.prfdata_call_raise(self._handle, value)

    @property
    def value(self):
        """What this publisher shows."""
        return _library.prfdata_call_get(self._handle)


class Average:
    """A counter with its base: an average, a fraction, a timer."""

    def __init__(self, publisher, name, instance):
        self._pair = ctypes.create_string_buffer(_sizes.pair)
        self.error = _library.prfdata_resolve_pair(publisher.pointer, publisher.id_of(name),
                                                   instance, self._pair)

    def add(self, amount):
        """One operation of `amount`."""
        _library.prfdata_call_average_add(self._pair, amount)

    @contextlib.contextmanager
    def timer(self):
        """One operation that lasts as long as the with block, however that ends."""
        started = _library.prfdata_call_timer_start(self._pair)
        try:
            yield
        finally:
            _library.prfdata_call_timer_stop(self._pair, started)


class Distribution:
    """How often values of which size occurred: the percentiles, mean and counts of a map."""

    def __init__(self, publisher, number, instance):
        self._memory = ctypes.create_string_buffer(_sizes.distribution)
        self.error = _library.prfdata_resolve_distribution(publisher.pointer, number, instance,
                                                           self._memory)

    def record(self, value):
        """One value, from 0, in the distribution's unit."""
        _library.prfdata_call_record(self._memory, value)

    @contextlib.contextmanager
    def timer(self):
        """Records how long the with block lasts, however that ends. The unit is 100ns."""
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
        """By its number, for in a map file distributions have no symbols."""
        return Distribution(self._publisher, number, self.memory)

    def remove(self):
        _library.prfdata_instance_remove(self.memory)

    @contextlib.contextmanager
    def together(self):
        """Updates inside the with block are seen together. Keep it short."""
        _library.prfdata_begin(self.memory)
        try:
            yield
        finally:
            _library.prfdata_end(self.memory)


class Publisher:
    """The counters of one map file. Open it once, for as long as the program runs."""

    def __init__(self, path):
        pointer = ctypes.c_void_p()
        self.error = _library.prfdata_open_file(os.fspath(path), ctypes.byref(pointer))
        self.pointer = pointer
        self._ids = {}

    def id_of(self, name):
        """The id of a symbol of the map file. Of an unknown one, the highest number there is."""
        if name not in self._ids:
            found = ctypes.c_uint32(0xFFFFFFFF)
            _library.prfdata_call_find_id(self.pointer, name.encode(), ctypes.byref(found))
            self._ids[name] = found.value
        return self._ids[name]

    @property
    def status(self):
        """Whether readers see the counters, and if not, why: a sentence."""
        text = ctypes.create_string_buffer(_STATUS_BYTES)
        _library.prfdata_status(self.pointer, text, _STATUS_BYTES)
        return text.value.decode()

    def retry(self):
        """Try to publish now, where that failed before. Returns a Windows error code, 0 if done."""
        return _library.prfdata_retry(self.pointer)

    def add(self, object_name, name, parent=None):
        """Add an instance by name, below an instance of the parent object if the map has one."""
        return self._look_up(_library.prfdata_instance_add, object_name, name, parent)

    def find(self, object_name, name, parent=None):
        """An instance that was added before."""
        return self._look_up(_library.prfdata_instance_find, object_name, name, parent)

    def _look_up(self, function, object_name, name, parent):
        memory = ctypes.create_string_buffer(_sizes.instance)
        error = function(self.pointer, self.id_of(object_name), name,
                         parent.memory if parent else None, memory)
        return Instance(self, memory, error)

    @property
    def single(self):
        """For the counters of objects without instances."""
        return Instance(self, None, 0)

    def close(self):
        """Hide the instances; what was counted stays in the totals. Again, it does nothing."""
        pointer, self.pointer = self.pointer, ctypes.c_void_p()
        _library.prfdata_close(pointer)


def open(path):  # pylint: disable=redefined-builtin
    """Publish the counters of a map file. Never fails: see Publisher.error and Publisher.status."""
    return Publisher(path)
