// SPDX-License-Identifier: MIT
//! Performance counters: what a map file declares, published by `prfdata.dll`.
//!
//! ```no_run
//! let publisher = prfdata::Publisher::open("queues.prfmap");
//! let mail = publisher.add("QUEUES", "mail", None);
//! let jobs = mail.counter("QUEUES_JOBS");
//! jobs.increment();
//! ```
//!
//! No call fails: a counter of what could not be opened, added or found counts where no reader sees
//! it. [`Publisher::status`] says why; the field `error` of an instance, a counter and so on is
//! Windows' code, 0 if the map has it. Every type may be used by any thread at any time.
#![cfg(windows)]

use std::ffi::{c_void, CString, OsStr};
use std::os::windows::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};

const VERSION: u32 = 1;
const STATUS_BYTES: usize = 1536;
const NO_ID: u32 = u32::MAX;

/// The most that `prfdata_call_get_sizes` may say.
#[repr(C, align(8))]
struct Memory([u8; 128]);

type Pointer = *mut c_void;

#[link(name = "prfdata")]
extern "C" {
    fn prfdata_open_file(path: *const u16, publisher: *mut Pointer) -> u32;
    fn prfdata_close(publisher: Pointer);
    fn prfdata_status(publisher: Pointer, text: *mut u8, capacity: usize) -> u32;
    fn prfdata_retry(publisher: Pointer) -> u32;
    fn prfdata_instance_add(
        publisher: Pointer,
        id: u32,
        name: *const u16,
        parent: *const Memory,
        instance: *mut Memory,
    ) -> u32;
    fn prfdata_instance_find(
        publisher: Pointer,
        id: u32,
        name: *const u16,
        parent: *const Memory,
        instance: *mut Memory,
    ) -> u32;
    fn prfdata_instance_remove(instance: *const Memory) -> u32;
    fn prfdata_resolve(
        publisher: Pointer,
        id: u32,
        instance: *const Memory,
        handle: *mut Memory,
    ) -> u32;
    fn prfdata_resolve_pair(
        publisher: Pointer,
        id: u32,
        instance: *const Memory,
        pair: *mut Memory,
    ) -> u32;
    fn prfdata_resolve_distribution(
        publisher: Pointer,
        id: u32,
        instance: *const Memory,
        distribution: *mut Memory,
    ) -> u32;
    fn prfdata_begin(instance: *const Memory);
    fn prfdata_end(instance: *const Memory);
    fn prfdata_call_version() -> u32;
    fn prfdata_call_find_id(publisher: Pointer, symbol: *const i8, id: *mut u32) -> u32;
    fn prfdata_call_cell(handle: *const Memory) -> *mut i64;
    fn prfdata_call_add(handle: *const Memory, amount: i64);
    fn prfdata_call_set(handle: *const Memory, value: i64);
    fn prfdata_call_raise(handle: *const Memory, value: i64);
    fn prfdata_call_get(handle: *const Memory) -> i64;
    fn prfdata_call_average_add(pair: *const Memory, amount: i64);
    fn prfdata_call_timer_start(pair: *const Memory) -> u64;
    fn prfdata_call_timer_stop(pair: *const Memory, started: u64);
    fn prfdata_call_record(distribution: *const Memory, value: u64);
    fn prfdata_call_record_start() -> u64;
    fn prfdata_call_record_since(distribution: *const Memory, started: u64);
}

fn wide(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain(Some(0)).collect()
}

/// The counters of one map file. Open one, for as long as the program runs.
pub struct Publisher {
    pointer: Pointer,
}

// The library's promise: <prfdata/prfdata.h>, "Threads".
unsafe impl Send for Publisher {}
unsafe impl Sync for Publisher {}

impl Publisher {
    /// Publish the counters of a map file.
    ///
    /// # Panics
    ///
    /// If `prfdata.dll` has another version of its calls: use the two of one PrfData.
    pub fn open(path: impl AsRef<Path>) -> Publisher {
        let mut pointer = ptr::null_mut();
        let version = unsafe { prfdata_call_version() };
        assert_eq!(version, VERSION, "prfdata.dll has another version of its calls");
        unsafe { prfdata_open_file(wide(path.as_ref().as_os_str()).as_ptr(), &mut pointer) };
        Publisher { pointer }
    }

    /// Whether readers see the counters, and if not, why: a sentence.
    pub fn status(&self) -> String {
        let mut text = [0u8; STATUS_BYTES];
        unsafe { prfdata_status(self.pointer, text.as_mut_ptr(), text.len()) };
        let end = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        String::from_utf8_lossy(&text[..end]).into_owned()
    }

    /// Try to publish now, where that failed before. The error is Windows' code.
    pub fn retry(&self) -> Result<(), u32> {
        match unsafe { prfdata_retry(self.pointer) } {
            0 => Ok(()),
            error => Err(error),
        }
    }

    /// Add an instance by name, below an instance of the parent object if the map has one.
    pub fn add<'a>(&'a self, object: &str, name: &str, parent: Option<&Instance>) -> Instance<'a> {
        let mut memory = Memory([0; 128]);
        let above = parent.map_or(ptr::null(), |parent| parent.address());
        let name = wide(OsStr::new(name));
        let error = unsafe {
            prfdata_instance_add(self.pointer, self.id(object), name.as_ptr(), above, &mut memory)
        };
        Instance { publisher: self, memory: Some(memory), error }
    }

    /// An instance that was added before.
    pub fn find<'a>(&'a self, object: &str, name: &str, parent: Option<&Instance>) -> Instance<'a> {
        let mut memory = Memory([0; 128]);
        let above = parent.map_or(ptr::null(), |parent| parent.address());
        let name = wide(OsStr::new(name));
        let error = unsafe {
            prfdata_instance_find(self.pointer, self.id(object), name.as_ptr(), above, &mut memory)
        };
        Instance { publisher: self, memory: Some(memory), error }
    }

    /// For the counters of objects without instances.
    pub fn single(&self) -> Instance {
        Instance { publisher: self, memory: None, error: 0 }
    }

    /// The id of a symbol of the map file. Of an unknown one, the highest number there is.
    fn id(&self, symbol: &str) -> u32 {
        let mut id = NO_ID;
        if let Ok(symbol) = CString::new(symbol) {
            unsafe { prfdata_call_find_id(self.pointer, symbol.as_ptr() as *const i8, &mut id) };
        }
        id
    }
}

impl Drop for Publisher {
    /// Hides the instances; what was counted stays in the totals.
    fn drop(&mut self) {
        unsafe { prfdata_close(self.pointer) }
    }
}

/// An instance of an object, or an object without instances.
pub struct Instance<'a> {
    publisher: &'a Publisher,
    memory: Option<Memory>,
    /// Windows' code; 0: it was added or found.
    pub error: u32,
}

impl<'a> Instance<'a> {
    fn address(&self) -> *const Memory {
        self.memory.as_ref().map_or(ptr::null(), |memory| memory)
    }

    pub fn counter(&self, symbol: &str) -> Counter {
        let mut handle = Memory([0; 128]);
        let id = self.publisher.id(symbol);
        let error =
            unsafe { prfdata_resolve(self.publisher.pointer, id, self.address(), &mut handle) };
        let cell = unsafe { prfdata_call_cell(&handle) };
        Counter { handle, cell, error }
    }

    pub fn average(&self, symbol: &str) -> Average {
        let mut pair = Memory([0; 128]);
        let id = self.publisher.id(symbol);
        let error =
            unsafe { prfdata_resolve_pair(self.publisher.pointer, id, self.address(), &mut pair) };
        Average { pair, error }
    }

    /// By its number, for in a map file distributions have no symbols.
    pub fn distribution(&self, number: u32) -> Distribution {
        let mut memory = Memory([0; 128]);
        let error = unsafe {
            prfdata_resolve_distribution(
                self.publisher.pointer,
                number,
                self.address(),
                &mut memory,
            )
        };
        Distribution { memory, error }
    }

    /// Updates that `update` makes are seen together. Keep it short.
    pub fn together<R>(&self, update: impl FnOnce() -> R) -> R {
        struct End(*const Memory);
        impl Drop for End {
            fn drop(&mut self) {
                unsafe { prfdata_end(self.0) }
            }
        }
        unsafe { prfdata_begin(self.address()) };
        let _end = End(self.address());
        update()
    }

    /// Removes the instance; what was counted stays in the totals.
    pub fn remove(&self) {
        unsafe { prfdata_instance_remove(self.address()) };
    }
}

/// A counter of one instance.
pub struct Counter {
    handle: Memory,
    cell: *mut i64, // memory of the DLL's; null: count by calls
    /// Windows' code; 0: the map has it.
    pub error: u32,
}

unsafe impl Send for Counter {}
unsafe impl Sync for Counter {}

impl Counter {
    /// In place, without a call, unless the counter is hot.
    pub fn add(&self, amount: i64) {
        if self.cell.is_null() {
            unsafe { prfdata_call_add(&self.handle, amount) };
        } else {
            // i64 and AtomicI64 have the same memory, and C counts there in the same way.
            unsafe { &*(self.cell as *const AtomicI64) }.fetch_add(amount, Ordering::Relaxed);
        }
    }

    pub fn increment(&self) {
        self.add(1)
    }

    /// Gauges only.
    pub fn decrement(&self) {
        self.add(-1)
    }

    /// Gauges only.
    pub fn set(&self, value: i64) {
        unsafe { prfdata_call_set(&self.handle, value) }
    }

    pub fn raise(&self, value: i64) {
        unsafe { prfdata_call_raise(&self.handle, value) }
    }

    /// What this publisher shows.
    pub fn value(&self) -> i64 {
        unsafe { prfdata_call_get(&self.handle) }
    }
}

/// A counter with its base: an average, a fraction, a timer.
pub struct Average {
    pair: Memory,
    /// Windows' code; 0: the map has it.
    pub error: u32,
}

unsafe impl Send for Average {}
unsafe impl Sync for Average {}

impl Average {
    /// One operation of `amount`.
    pub fn add(&self, amount: i64) {
        unsafe { prfdata_call_average_add(&self.pair, amount) }
    }

    /// One operation that lasts as long as `operation`, also if that panics.
    pub fn time<R>(&self, operation: impl FnOnce() -> R) -> R {
        struct Stop<'a>(&'a Memory, u64);
        impl<'a> Drop for Stop<'a> {
            fn drop(&mut self) {
                unsafe { prfdata_call_timer_stop(self.0, self.1) }
            }
        }
        let _stop = Stop(&self.pair, unsafe { prfdata_call_timer_start(&self.pair) });
        operation()
    }
}

/// How often values of which size occurred: the percentiles, mean and counts of a map.
pub struct Distribution {
    memory: Memory,
    /// Windows' code; 0: the map has it.
    pub error: u32,
}

unsafe impl Send for Distribution {}
unsafe impl Sync for Distribution {}

impl Distribution {
    /// One value, in the distribution's unit.
    pub fn record(&self, value: u64) {
        unsafe { prfdata_call_record(&self.memory, value) }
    }

    /// Record how long `operation` lasts, also if that panics. The unit is 100ns.
    pub fn time<R>(&self, operation: impl FnOnce() -> R) -> R {
        struct Stop<'a>(&'a Memory, u64);
        impl<'a> Drop for Stop<'a> {
            fn drop(&mut self) {
                unsafe { prfdata_call_record_since(self.0, self.1) }
            }
        }
        let _stop = Stop(&self.memory, unsafe { prfdata_call_record_start() });
        operation()
    }
}
