//! The platforms of MOCL3's nodes, and the clocks of their host programs (cl_mocl3_host_clock).

use crate::functions::direct;
use cl_sys::{CL_SUCCESS, cl_event, cl_int, cl_platform_id, cl_ulong};
use std::ffi::{CStr, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

type Get = unsafe extern "C-unwind" fn(cl_platform_id, *mut cl_ulong) -> cl_int;
type Set = unsafe extern "C-unwind" fn(cl_platform_id, cl_ulong) -> cl_int;
type End = unsafe extern "C-unwind" fn(cl_event, *mut cl_ulong) -> cl_int;
type Counts = unsafe extern "C-unwind" fn(cl_platform_id, *mut cl_ulong, *mut cl_ulong) -> cl_int;

/// The clock of a node's host program.
#[derive(Clone, Copy)]
pub struct NodeClock {
    /// The node's platform.
    pub platform: cl_platform_id,
    get: Get,
    set: Set,
    end: End,
    counts: Counts,
}

// SAFETY: a platform's handle is valid in all threads.
unsafe impl Send for NodeClock {}
// SAFETY: as above.
unsafe impl Sync for NodeClock {}

fn extension_function(platform: cl_platform_id, name: &CStr) -> *mut c_void {
    // SAFETY: the name ends with NUL, and the loader gave the platform.
    unsafe { direct::clGetExtensionFunctionAddressForPlatform(platform, name.as_ptr()) }
}

/// All platforms of the loader.
fn all_platforms() -> Vec<cl_platform_id> {
    let mut count = 0;
    // SAFETY: only the number is written.
    let code = unsafe { direct::clGetPlatformIDs(0, null_mut(), &raw mut count) };
    if code != CL_SUCCESS {
        return Vec::new();
    }
    let mut platforms = vec![null_mut(); count as usize];
    // SAFETY: the list has as many entries.
    let code = unsafe { direct::clGetPlatformIDs(count, platforms.as_mut_ptr(), null_mut()) };
    match code {
        CL_SUCCESS => platforms,
        _ => Vec::new(),
    }
}

/// A node's time when SimGrid's is 0, nanoseconds: 0 is no time of a command.
const ORIGIN: u64 = 1;

impl NodeClock {
    /// The clock of a platform; none if it is not one of MOCL3's.
    fn of_platform(platform: cl_platform_id) -> Option<Self> {
        let get = extension_function(platform, c"clGetHostClockMOCL3");
        let set = extension_function(platform, c"clSetHostClockMOCL3");
        let end = extension_function(platform, c"clGetEventEndMOCL3");
        let counts = extension_function(platform, c"clGetLaunchCountsMOCL3");
        if get.is_null() || set.is_null() || end.is_null() || counts.is_null() {
            return None;
        }
        // SAFETY: the extension declares the functions so (CL/cl_mocl3.h).
        unsafe {
            Some(Self {
                platform,
                get: std::mem::transmute::<*mut c_void, Get>(get),
                set: std::mem::transmute::<*mut c_void, Set>(set),
                end: std::mem::transmute::<*mut c_void, End>(end),
                counts: std::mem::transmute::<*mut c_void, Counts>(counts),
            })
        }
    }

    /// The node's time on SimGrid's clock, nanoseconds.
    pub fn now(&self) -> u64 {
        let mut time = 0;
        // SAFETY: the platform is one of MOCL3's, and the time is a local variable.
        unsafe { (self.get)(self.platform, &raw mut time) };
        time.saturating_sub(ORIGIN)
    }

    /// The end of an event's command on SimGrid's clock, nanoseconds; none if it depends on what the
    /// program does next, or there is no such event.
    pub fn end_of(&self, event: cl_event) -> Option<u64> {
        let mut time = 0;
        // SAFETY: the platform checks the event, and the time is a local variable.
        let code = unsafe { (self.end)(event, &raw mut time) };
        (code == CL_SUCCESS).then(|| time.saturating_sub(ORIGIN))
    }

    /// Numbers of launches that all nodes have enqueued: those that are executed, and those that share
    /// the time of another one.
    pub fn launches(&self) -> [u64; 2] {
        let [mut executed, mut shared] = [0; 2];
        // SAFETY: the platform is one of MOCL3's, and the numbers are local variables.
        unsafe { (self.counts)(self.platform, &raw mut executed, &raw mut shared) };
        [executed, shared]
    }

    /// Sets the node's time on SimGrid's clock, nanoseconds.
    pub fn set(&self, time: u64) {
        // SAFETY: as above.
        unsafe { (self.set)(self.platform, time.saturating_add(ORIGIN)) };
    }
}

/// The clocks of all nodes, in order, and the platforms of others.
pub struct Platforms {
    /// Of MOCL3's nodes.
    pub nodes: Vec<NodeClock>,
    /// Handles of other platforms.
    others: Vec<usize>,
}

impl Platforms {
    /// Those of the process.
    pub fn get() -> &'static Self {
        static PLATFORMS: OnceLock<Platforms> = OnceLock::new();
        PLATFORMS.get_or_init(|| {
            let mut platforms = Self {
                nodes: Vec::new(),
                others: Vec::new(),
            };
            for platform in all_platforms() {
                match NodeClock::of_platform(platform) {
                    Some(clock) => platforms.nodes.push(clock),
                    None => platforms.others.push(platform.expose_provenance()),
                }
            }
            platforms
        })
    }

    /// The platforms that are not MOCL3's.
    pub fn others(&self) -> impl Iterator<Item = cl_platform_id> {
        self.others
            .iter()
            .map(|handle| std::ptr::with_exposed_provenance_mut(*handle))
    }
}
