//! SimGrid's functions, found in the process at run time (SimGrid 3.32: `simgrid/actor.h`,
//! `simgrid/host.h`, `simgrid/engine.h`, `smpi/smpi.h`).

use std::ffi::{CStr, c_char, c_int, c_long, c_void};
use std::sync::OnceLock;

macro_rules! simgrid {
    ($($(#[$attribute:meta])* $name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the process's SimGrid.
        pub struct SimGrid {
            $($(#[$attribute])* pub $name: unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?,)*
        }

        impl SimGrid {
            /// None if one of the functions is missing.
            fn find() -> Option<Self> {
                Some(Self {
                    $($name: {
                        let address = symbol(concat!(stringify!($name), "\0"))?;
                        // SAFETY: SimGrid declares the function so.
                        unsafe {
                            std::mem::transmute::<
                                *mut c_void,
                                unsafe extern "C-unwind" fn($($argument),*) $(-> $result)?,
                            >(address)
                        }
                    },)*
                })
            }
        }
    };
}

simgrid! {
    /// The actor that the calling thread runs; null if it runs none.
    sg_actor_self: fn() -> *const c_void;
    /// Number of the calling actor; 0 is that of SimGrid's own.
    sg_actor_self_get_pid: fn() -> c_long;
    /// Calls a function when the calling actor ends.
    sg_actor_on_exit: fn(unsafe extern "C" fn(c_int, *mut c_void), *mut c_void);
    /// The host of the calling actor.
    sg_host_self: fn() -> *const c_void;
    /// Number of hosts.
    sg_host_count: fn() -> usize;
    /// All hosts; the caller frees the array.
    sg_host_list: fn() -> *mut *const c_void;
    /// Name of a host.
    sg_host_get_name: fn(*const c_void) -> *const c_char;
    /// Simulated time in seconds.
    simgrid_get_clock: fn() -> f64;
    /// Lets the calling rank compute for this many seconds.
    smpi_execute_benched: fn(f64);
}

fn symbol(name: &'static str) -> Option<*mut c_void> {
    let name = CStr::from_bytes_with_nul(name.as_bytes()).ok()?;
    // SAFETY: the name ends with NUL.
    let address = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    (!address.is_null()).then_some(address)
}

impl SimGrid {
    /// That of the process; none if there is none.
    pub fn get() -> Option<&'static Self> {
        static FOUND: OnceLock<Option<SimGrid>> = OnceLock::new();
        FOUND.get_or_init(Self::find).as_ref()
    }

    /// Number of the actor that the calling thread runs; none if it runs no actor of the program.
    pub fn actor(&self) -> Option<i64> {
        // SAFETY: the functions have no preconditions; the second needs an actor.
        let pid = unsafe {
            if (self.sg_actor_self)().is_null() {
                return None;
            }
            (self.sg_actor_self_get_pid)()
        };
        (pid > 0).then_some(pid)
    }

    /// The position of the calling actor's host among all hosts, whose names are ordered by length
    /// and letters, so that `node-2` is before `node-10`.
    pub fn host_position(&self) -> usize {
        // SAFETY: an actor calls; the array has as many hosts as SimGrid says, and is freed once.
        let (own, mut names) = unsafe {
            let name = |host| CStr::from_ptr((self.sg_host_get_name)(host)).to_owned();
            let hosts = (self.sg_host_list)();
            let count = (self.sg_host_count)();
            let names: Vec<_> = (0..count).map(|index| name(*hosts.add(index))).collect();
            libc::free(hosts.cast());
            (name((self.sg_host_self)()), names)
        };
        names.sort_by_key(|name| (name.count_bytes(), name.clone()));
        names.iter().position(|name| *name == own).unwrap_or(0)
    }

    /// Simulated time, nanoseconds.
    pub fn now(&self) -> u64 {
        // SAFETY: has no preconditions.
        let seconds = unsafe { (self.simgrid_get_clock)() };
        (seconds * 1e9).round() as u64
    }

    /// Lets the calling rank compute until `time`, nanoseconds.
    pub fn compute_until(&self, time: u64) {
        // SAFETY: a rank calls.
        unsafe {
            let seconds = time as f64 * 1e-9 - (self.simgrid_get_clock)();
            if seconds > 0.0 {
                (self.smpi_execute_benched)(seconds);
            }
        }
    }
}
