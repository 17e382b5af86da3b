// SPDX-License-Identifier: MIT
//! Publishes the performance counters of a map file, by `prfdata.dll` (`libprfdata.so` on Linux).
//!
//! ```no_run
//! let publisher = prfdata::Publisher::open("queues.prfmap");
//! let mail = publisher.add("QUEUES", "mail", None);
//! let jobs = mail.counter("QUEUES_JOBS");
//! jobs.increment();
//! ```
//!
//! Only [`set_private`] and [`Publisher::retry`] return errors. If something could not be opened,
//! added or found, its counters count in memory that no reader sees. [`Publisher::status`] says
//! why, and the field `error` of an instance, a counter and so on is a Windows error code, or 0.
//! The library is loaded when it is first needed. It is the file that the environment variable
//! `PRFDATA_LIBRARY` names, or the one next to the program. Any thread may use any type at any
//! time.
use std::env;
use std::ffi::{c_void, CString};
use std::path::{Path, PathBuf};
use std::ptr;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::Once;

const VERSION: u32 = 1;
const STATUS_BYTES: usize = 1536;
const NO_ID: u32 = u32::MAX;
/// The Windows error codes for a library that is not loaded, and for a name with a NUL.
const INVALID_HANDLE: u32 = 6;
const INVALID_NAME: u32 = 123;

/// As large as the largest size that `prfdata_call_get_sizes` may return.
#[repr(C, align(8))]
struct Memory([u8; 128]);

type Pointer = *mut c_void;

type LookUp =
    unsafe extern "C" fn(Pointer, u32, *const system::Wide, *const Memory, *mut Memory) -> u32;

/// The functions of the library.
struct Library {
    open_file: unsafe extern "C" fn(*const system::Wide, *mut Pointer) -> u32,
    set_private: unsafe extern "C" fn(i32),
    close: unsafe extern "C" fn(Pointer),
    status: unsafe extern "C" fn(Pointer, *mut u8, usize) -> u32,
    retry: unsafe extern "C" fn(Pointer) -> u32,
    instance_add: LookUp,
    instance_find: LookUp,
    instance_remove: unsafe extern "C" fn(*const Memory) -> u32,
    resolve: unsafe extern "C" fn(Pointer, u32, *const Memory, *mut Memory) -> u32,
    resolve_pair: unsafe extern "C" fn(Pointer, u32, *const Memory, *mut Memory) -> u32,
    resolve_distribution: unsafe extern "C" fn(Pointer, u32, *const Memory, *mut Memory) -> u32,
    begin: unsafe extern "C" fn(*const Memory),
    end: unsafe extern "C" fn(*const Memory),
    call_version: unsafe extern "C" fn() -> u32,
    call_find_id: unsafe extern "C" fn(Pointer, *const i8, *mut u32) -> u32,
    call_cell: unsafe extern "C" fn(*const Memory) -> *mut i64,
    call_add: unsafe extern "C" fn(*const Memory, i64),
    call_set: unsafe extern "C" fn(*const Memory, i64),
    call_raise: unsafe extern "C" fn(*const Memory, i64),
    call_get: unsafe extern "C" fn(*const Memory) -> i64,
    call_average_add: unsafe extern "C" fn(*const Memory, i64),
    call_get_value: unsafe extern "C" fn(*const Memory) -> i64,
    call_get_base: unsafe extern "C" fn(*const Memory) -> i64,
    call_elapsed_start: unsafe extern "C" fn(*const Memory),
    call_elapsed_stop: unsafe extern "C" fn(*const Memory),
    call_timer_start: unsafe extern "C" fn(*const Memory) -> u64,
    call_timer_stop: unsafe extern "C" fn(*const Memory, u64),
    call_record: unsafe extern "C" fn(*const Memory, u64),
    call_record_start: unsafe extern "C" fn() -> u64,
    call_record_since: unsafe extern "C" fn(*const Memory, u64),
    call_recorded_count: unsafe extern "C" fn(*const Memory) -> u64,
    call_recorded_sum: unsafe extern "C" fn(*const Memory) -> u64,
    call_recorded_mean: unsafe extern "C" fn(*const Memory) -> u64,
    call_recorded_percentile: unsafe extern "C" fn(*const Memory, u32) -> u64,
}

impl Library {
    /// Finds all functions in the library at `path`.
    fn load(path: &Path) -> Result<Library, String> {
        let module = system::load(path).map_err(|error| {
            format!(
                "{} cannot be loaded ({}); it must be for the processor of this program",
                path.display(),
                error
            )
        })?;
        // The fields have the types of the functions in <prfdata/prfdata.h> and <prfdata/calls.h>.
        macro_rules! function {
            ($name:expr) => {
                match system::find(module, concat!($name, "\0")) {
                    Some(address) => unsafe { std::mem::transmute(address) },
                    None => return Err(format!("{} has no {}", path.display(), $name)),
                }
            };
        }
        let library = Library {
            open_file: function!("prfdata_open_file"),
            set_private: function!("prfdata_set_private"),
            close: function!("prfdata_close"),
            status: function!("prfdata_status"),
            retry: function!("prfdata_retry"),
            instance_add: function!("prfdata_instance_add"),
            instance_find: function!("prfdata_instance_find"),
            instance_remove: function!("prfdata_instance_remove"),
            resolve: function!("prfdata_resolve"),
            resolve_pair: function!("prfdata_resolve_pair"),
            resolve_distribution: function!("prfdata_resolve_distribution"),
            begin: function!("prfdata_begin"),
            end: function!("prfdata_end"),
            call_version: function!("prfdata_call_version"),
            call_find_id: function!("prfdata_call_find_id"),
            call_cell: function!("prfdata_call_cell"),
            call_add: function!("prfdata_call_add"),
            call_set: function!("prfdata_call_set"),
            call_raise: function!("prfdata_call_raise"),
            call_get: function!("prfdata_call_get"),
            call_average_add: function!("prfdata_call_average_add"),
            call_get_value: function!("prfdata_call_get_value"),
            call_get_base: function!("prfdata_call_get_base"),
            call_elapsed_start: function!("prfdata_call_elapsed_start"),
            call_elapsed_stop: function!("prfdata_call_elapsed_stop"),
            call_timer_start: function!("prfdata_call_timer_start"),
            call_timer_stop: function!("prfdata_call_timer_stop"),
            call_record: function!("prfdata_call_record"),
            call_record_start: function!("prfdata_call_record_start"),
            call_record_since: function!("prfdata_call_record_since"),
            call_recorded_count: function!("prfdata_call_recorded_count"),
            call_recorded_sum: function!("prfdata_call_recorded_sum"),
            call_recorded_mean: function!("prfdata_call_recorded_mean"),
            call_recorded_percentile: function!("prfdata_call_recorded_percentile"),
        };
        match unsafe { (library.call_version)() } {
            VERSION => Ok(library),
            found => Err(format!(
                "{} has version {} of its calls, and this crate is written for {}; use both from the same release of PrfData",
                path.display(), found, VERSION
            )),
        }
    }

    /// Returns the library's full path. The system's search is not used, because it may include
    /// folders of other users.
    fn path() -> Result<PathBuf, String> {
        if let Some(named) = env::var_os("PRFDATA_LIBRARY").filter(|named| !named.is_empty()) {
            let folder = env::current_dir().unwrap_or_default();
            return Ok(folder.join(named));
        }
        let program = env::current_exe().map_err(|error| error.to_string())?;
        let path = program.with_file_name(system::NAME);
        if path.exists() {
            return Ok(path);
        }
        Err(format!(
            "{} is missing: put it, for the processor of this program, next to the program",
            path.display()
        ))
    }

    /// Returns the library, which the first call loads, or why there is none.
    fn get() -> &'static Result<Library, String> {
        static ONCE: Once = Once::new();
        static mut LIBRARY: *const Result<Library, String> = ptr::null();
        unsafe {
            ONCE.call_once(|| {
                let loaded = Library::path().and_then(|path| Library::load(&path));
                LIBRARY = Box::into_raw(Box::new(loaded));
            });
            &*LIBRARY
        }
    }
}

/// How the system loads a library, and its type of wide characters.
#[cfg(windows)]
mod system {
    use std::ffi::{c_void, OsStr};
    use std::io;
    use std::os::windows::ffi::OsStrExt;
    use std::path::Path;

    pub const NAME: &str = "prfdata.dll";
    pub type Wide = u16;

    #[link(name = "kernel32")]
    extern "system" {
        fn LoadLibraryW(path: *const u16) -> *mut c_void;
        fn GetProcAddress(module: *mut c_void, name: *const u8) -> *mut c_void;
    }

    pub fn wide(text: &OsStr) -> Vec<Wide> {
        text.encode_wide().chain(Some(0)).collect()
    }

    pub fn load(path: &Path) -> Result<*mut c_void, String> {
        match unsafe { LoadLibraryW(wide(path.as_os_str()).as_ptr()) } {
            module if module.is_null() => Err(io::Error::last_os_error().to_string()),
            module => Ok(module),
        }
    }

    /// `name` ends with a NUL.
    pub fn find(module: *mut c_void, name: &str) -> Option<*mut c_void> {
        Some(unsafe { GetProcAddress(module, name.as_ptr()) }).filter(|address| !address.is_null())
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::{c_void, CStr, CString, OsStr};
    use std::os::raw::{c_char, c_int};
    use std::os::unix::ffi::OsStrExt;
    use std::path::Path;

    pub const NAME: &str = "libprfdata.so";
    /// wchar_t has 32 bits.
    pub type Wide = u32;
    const RTLD_NOW: c_int = 2;

    #[link(name = "dl")]
    extern "C" {
        fn dlopen(path: *const c_char, mode: c_int) -> *mut c_void;
        fn dlsym(module: *mut c_void, name: *const c_char) -> *mut c_void;
        fn dlerror() -> *const c_char;
    }

    pub fn wide(text: &OsStr) -> Vec<Wide> {
        text.to_string_lossy()
            .chars()
            .map(|char| char as u32)
            .chain(Some(0))
            .collect()
    }

    pub fn load(path: &Path) -> Result<*mut c_void, String> {
        let path = CString::new(path.as_os_str().as_bytes()).map_err(|error| error.to_string())?;
        unsafe {
            let module = dlopen(path.as_ptr(), RTLD_NOW);
            if module.is_null() {
                return Err(CStr::from_ptr(dlerror()).to_string_lossy().into_owned());
            }
            Ok(module)
        }
    }

    /// `name` ends with a NUL.
    pub fn find(module: *mut c_void, name: &str) -> Option<*mut c_void> {
        Some(unsafe { dlsym(module, name.as_ptr() as *const c_char) })
            .filter(|address| !address.is_null())
    }
}

#[cfg(not(any(windows, unix)))]
compile_error!("the crate prfdata is for Windows, and for Linux to test there");

/// For unit tests: sets whether publishers that are opened from now on count only for this process.
/// Fails only if the library cannot be loaded.
pub fn set_private(is_private: bool) -> Result<(), String> {
    match Library::get() {
        Ok(library) => {
            unsafe { (library.set_private)(is_private as i32) };
            Ok(())
        }
        Err(missing) => Err(missing.clone()),
    }
}

/// Publishes the counters of one map file. Keep the Publisher for as long as the program runs.
pub struct Publisher {
    pointer: Pointer,
    library: &'static Result<Library, String>,
    /// Why the map file was not opened, if the library was not called.
    refused: Option<&'static str>,
}

// The library promises this: <prfdata/prfdata.h>, "Threads".
unsafe impl Send for Publisher {}
unsafe impl Sync for Publisher {}

impl Publisher {
    /// Publish the counters of a map file.
    pub fn open(path: impl AsRef<Path>) -> Publisher {
        let mut publisher = Publisher {
            pointer: ptr::null_mut(),
            library: Library::get(),
            refused: None,
        };
        let name = system::wide(path.as_ref().as_os_str());
        if name[..name.len() - 1].contains(&0) {
            publisher.refused = Some("the path of the map file has a NUL");
        } else if let Ok(library) = publisher.library {
            unsafe { (library.open_file)(name.as_ptr(), &mut publisher.pointer) };
        }
        publisher
    }

    /// Says in a sentence whether readers see the counters, and if not, why.
    pub fn status(&self) -> String {
        let library = match (self.refused, self.library) {
            (Some(refused), _) => return refused.into(),
            (_, Err(missing)) => return missing.clone(),
            (_, Ok(library)) => library,
        };
        let mut text = [0u8; STATUS_BYTES];
        unsafe { (library.status)(self.pointer, text.as_mut_ptr(), text.len()) };
        let end = text
            .iter()
            .position(|&byte| byte == 0)
            .unwrap_or(text.len());
        String::from_utf8_lossy(&text[..end]).into_owned()
    }

    /// Try again to publish. The error is a Windows error code.
    pub fn retry(&self) -> Result<(), u32> {
        match self.library {
            Ok(library) => match unsafe { (library.retry)(self.pointer) } {
                0 => Ok(()),
                error => Err(error),
            },
            Err(_) => Err(INVALID_HANDLE),
        }
    }

    /// Add an instance by name. `parent` is an instance of the parent object, or `None` if the
    /// object has none.
    pub fn add<'a>(&'a self, object: &str, name: &str, parent: Option<&Instance>) -> Instance<'a> {
        self.look_up(|library| library.instance_add, object, name, parent)
    }

    /// Find an instance that was added before.
    pub fn find<'a>(&'a self, object: &str, name: &str, parent: Option<&Instance>) -> Instance<'a> {
        self.look_up(|library| library.instance_find, object, name, parent)
    }

    fn look_up<'a>(
        &'a self,
        function: fn(&Library) -> LookUp,
        object: &str,
        name: &str,
        parent: Option<&Instance>,
    ) -> Instance<'a> {
        let mut memory = Memory([0; 128]);
        let above = parent.map_or(ptr::null(), |parent| parent.address());
        let error = match self.library {
            Err(_) => INVALID_HANDLE,
            Ok(_) if name.contains('\0') => INVALID_NAME,
            Ok(library) => unsafe {
                let name = system::wide(name.as_ref());
                function(library)(
                    self.pointer,
                    self.id(object),
                    name.as_ptr(),
                    above,
                    &mut memory,
                )
            },
        };
        Instance {
            publisher: self,
            memory: Some(memory),
            error,
        }
    }

    /// The instance for the counters of objects without instances.
    pub fn single(&self) -> Instance<'_> {
        Instance {
            publisher: self,
            memory: None,
            error: 0,
        }
    }

    /// Returns the id of a symbol of the map file, or the highest number if the map does not have
    /// it.
    fn id(&self, symbol: &str) -> u32 {
        let mut id = NO_ID;
        if let (Ok(library), Ok(symbol)) = (self.library, CString::new(symbol)) {
            unsafe { (library.call_find_id)(self.pointer, symbol.as_ptr() as *const i8, &mut id) };
        }
        id
    }
}

impl Drop for Publisher {
    /// Hides the instances. Their counts stay in the totals.
    fn drop(&mut self) {
        if let Ok(library) = self.library {
            unsafe { (library.close)(self.pointer) }
        }
    }
}

/// An instance of an object, or an object without instances.
pub struct Instance<'a> {
    publisher: &'a Publisher,
    memory: Option<Memory>,
    /// A Windows error code; 0: the instance was added or found.
    pub error: u32,
}

impl<'a> Instance<'a> {
    fn address(&self) -> *const Memory {
        self.memory.as_ref().map_or(ptr::null(), |memory| memory)
    }

    pub fn counter(&self, symbol: &str) -> Counter {
        let mut handle = Memory([0; 128]);
        let id = self.publisher.id(symbol);
        match self.publisher.library {
            Ok(library) => unsafe {
                let error =
                    (library.resolve)(self.publisher.pointer, id, self.address(), &mut handle);
                let cell = (library.call_cell)(&handle);
                Counter {
                    handle,
                    cell,
                    library: Some(library),
                    error,
                }
            },
            Err(_) => Counter {
                handle,
                cell: ptr::null_mut(),
                library: None,
                error: INVALID_HANDLE,
            },
        }
    }

    pub fn average(&self, symbol: &str) -> Average {
        let mut pair = Memory([0; 128]);
        let id = self.publisher.id(symbol);
        match self.publisher.library {
            Ok(library) => unsafe {
                let error =
                    (library.resolve_pair)(self.publisher.pointer, id, self.address(), &mut pair);
                Average {
                    pair,
                    library: Some(library),
                    error,
                }
            },
            Err(_) => Average {
                pair,
                library: None,
                error: INVALID_HANDLE,
            },
        }
    }

    /// Finds a distribution by its number, because it has no symbol in a map file.
    pub fn distribution(&self, number: u32) -> Distribution {
        let mut memory = Memory([0; 128]);
        match self.publisher.library {
            Ok(library) => unsafe {
                let error = (library.resolve_distribution)(
                    self.publisher.pointer,
                    number,
                    self.address(),
                    &mut memory,
                );
                Distribution {
                    memory,
                    library: Some(library),
                    error,
                }
            },
            Err(_) => Distribution {
                memory,
                library: None,
                error: INVALID_HANDLE,
            },
        }
    }

    /// Calls `update`, which must be short. Readers see all its updates of this instance together.
    pub fn together<R>(&self, update: impl FnOnce() -> R) -> R {
        let library = match self.publisher.library {
            Ok(library) => library,
            Err(_) => return update(),
        };
        struct End(&'static Library, *const Memory);
        impl Drop for End {
            fn drop(&mut self) {
                unsafe { (self.0.end)(self.1) }
            }
        }
        unsafe { (library.begin)(self.address()) };
        let _end = End(library, self.address());
        update()
    }

    /// Removes the instance. Its counts stay in the totals.
    pub fn remove(&self) {
        if let Ok(library) = self.publisher.library {
            unsafe { (library.instance_remove)(self.address()) };
        }
    }
}

/// A counter of one instance.
pub struct Counter {
    handle: Memory,
    cell: *mut i64, // memory of the library; null: count by calls
    library: Option<&'static Library>,
    /// A Windows error code; 0: the counter was found.
    pub error: u32,
}

unsafe impl Send for Counter {}
unsafe impl Sync for Counter {}

impl Counter {
    /// Counts in place, without a call, unless the map marks the counter as hot.
    pub fn add(&self, amount: i64) {
        if self.cell.is_null() {
            if let Some(library) = self.library {
                unsafe { (library.call_add)(&self.handle, amount) };
            }
        } else {
            // i64 and AtomicI64 have the same layout, and C counts there in the same way.
            unsafe { &*(self.cell as *const AtomicI64) }.fetch_add(amount, Ordering::Relaxed);
        }
    }

    pub fn increment(&self) {
        self.add(1)
    }

    /// Subtracts one. Only for gauges, whose values go up and down.
    pub fn decrement(&self) {
        self.add(-1)
    }

    /// Sets the value. Only for gauges.
    pub fn set(&self, value: i64) {
        if let Some(library) = self.library {
            unsafe { (library.call_set)(&self.handle, value) }
        }
    }

    /// Raises the counter to `value` if its own value is smaller.
    pub fn raise(&self, value: i64) {
        if let Some(library) = self.library {
            unsafe { (library.call_raise)(&self.handle, value) }
        }
    }

    /// Lets a counter of the type PERF_ELAPSED_TIME show the time since this call.
    pub fn start(&self) {
        if let Some(library) = self.library {
            unsafe { (library.call_elapsed_start)(&self.handle) }
        }
    }

    /// Lets a counter of the type PERF_ELAPSED_TIME show no time.
    pub fn stop(&self) {
        if let Some(library) = self.library {
            unsafe { (library.call_elapsed_stop)(&self.handle) }
        }
    }

    /// The value that this publisher shows.
    pub fn value(&self) -> i64 {
        self.library
            .map_or(0, |library| unsafe { (library.call_get)(&self.handle) })
    }
}

/// A counter with its base: an average, a fraction, a timer.
pub struct Average {
    pair: Memory,
    library: Option<&'static Library>,
    /// A Windows error code; 0: the counter was found.
    pub error: u32,
}

unsafe impl Send for Average {}
unsafe impl Sync for Average {}

impl Average {
    /// Count one operation, and add `amount` to the sum.
    pub fn add(&self, amount: i64) {
        if let Some(library) = self.library {
            unsafe { (library.call_average_add)(&self.pair, amount) }
        }
    }

    /// The sum of the amounts, or of the ticks of a timer.
    pub fn value(&self) -> i64 {
        self.library
            .map_or(0, |library| unsafe { (library.call_get_value)(&self.pair) })
    }

    /// The number of operations, or the whole of a fraction.
    pub fn base(&self) -> i64 {
        self.library
            .map_or(0, |library| unsafe { (library.call_get_base)(&self.pair) })
    }

    /// Call `operation`, and count it and its duration, even if it panics.
    pub fn time<R>(&self, operation: impl FnOnce() -> R) -> R {
        struct Stop<'a>(&'static Library, &'a Memory, u64);
        impl<'a> Drop for Stop<'a> {
            fn drop(&mut self) {
                unsafe { (self.0.call_timer_stop)(self.1, self.2) }
            }
        }
        let _stop = self.library.map(|library| {
            Stop(library, &self.pair, unsafe {
                (library.call_timer_start)(&self.pair)
            })
        });
        operation()
    }
}

/// A distribution of recorded values. Counters of the map show its percentiles, means and counts.
pub struct Distribution {
    memory: Memory,
    library: Option<&'static Library>,
    /// A Windows error code; 0: the distribution was found.
    pub error: u32,
}

unsafe impl Send for Distribution {}
unsafe impl Sync for Distribution {}

impl Distribution {
    /// Record one value in the distribution's unit.
    pub fn record(&self, value: u64) {
        if let Some(library) = self.library {
            unsafe { (library.call_record)(&self.memory, value) }
        }
    }

    /// The number of values recorded by this publisher. This and the next four methods are for
    /// tests.
    pub fn count(&self) -> u64 {
        self.library.map_or(0, |library| unsafe {
            (library.call_recorded_count)(&self.memory)
        })
    }

    pub fn sum(&self) -> u64 {
        self.library.map_or(0, |library| unsafe {
            (library.call_recorded_sum)(&self.memory)
        })
    }

    /// The rounded mean of the values.
    pub fn mean(&self) -> u64 {
        self.library.map_or(0, |library| unsafe {
            (library.call_recorded_mean)(&self.memory)
        })
    }

    /// A percentile, within the precision of the map: `share` / 10,000 of the values are not larger
    /// (5000: the median).
    pub fn percentile(&self, share: u32) -> u64 {
        self.library.map_or(0, |library| unsafe {
            (library.call_recorded_percentile)(&self.memory, share)
        })
    }

    /// The greatest of the values, within the precision of the map.
    pub fn maximum(&self) -> u64 {
        self.percentile(10000)
    }

    /// Record how long `operation` lasts, even if that panics. The distribution's unit must be
    /// 100ns.
    pub fn time<R>(&self, operation: impl FnOnce() -> R) -> R {
        struct Stop<'a>(&'static Library, &'a Memory, u64);
        impl<'a> Drop for Stop<'a> {
            fn drop(&mut self) {
                unsafe { (self.0.call_record_since)(self.1, self.2) }
            }
        }
        let _stop = self.library.map(|library| {
            Stop(library, &self.memory, unsafe {
                (library.call_record_start)()
            })
        });
        operation()
    }
}
