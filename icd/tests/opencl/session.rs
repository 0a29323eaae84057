//! What the tests share: the library made known to the loader, and a context with queues.

use cl_sys::*;
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, Once, OnceLock, PoisonError};

/// The built library: in the folder of the test program, or one folder up.
pub fn library() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    let folders = [
        program.parent().unwrap(),
        program.parent().unwrap().parent().unwrap(),
    ];
    folders
        .iter()
        .map(|folder| folder.join("libmocl3.so"))
        .filter(|path| path.exists())
        .max_by_key(|path| path.metadata().unwrap().modified().unwrap())
        .expect("cargo builds the library before its tests")
}

/// A folder for the loader that names only our library. One per process: tests of
/// several processes may run at the same time. Written once: a test's child process may
/// read it at any time.
pub fn vendors() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(std::process::id().to_string());
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(
            folder.join("mocl3.icd"),
            format!("{}\n", library().display()),
        )
        .unwrap();
        folder
    })
}

/// Makes the loader of this process find our library. Before its first call.
pub fn initialise() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // SAFETY: all tests wait here before they do anything else.
        unsafe { std::env::set_var("OCL_ICD_VENDORS", vendors()) };
    });
}

pub use error_cases::session::{
    CreateCommandQueueWithProperties, address, answer, dispatch_table, function, made, ok, refused,
    text,
};

/// Devices, a context over two of them and queues.
pub struct Session(error_cases::session::Session);

impl Deref for Session {
    type Target = error_cases::session::Session;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl Session {
    /// On the platform's four devices.
    pub fn open() -> Self {
        Self::with_properties(&[])
    }

    /// With properties of the context; the final 0 is among them.
    pub fn with_properties(properties: &[cl_context_properties]) -> Self {
        initialise();
        let mut platform = null_mut();
        let mut devices = vec![null_mut(); 4];
        // SAFETY: all pointers are to locals that outlive the calls.
        unsafe {
            ok(clGetPlatformIDs(1, &mut platform, null_mut()));
            ok(clGetDeviceIDs(
                platform,
                0xFFFF_FFFF,
                4,
                devices.as_mut_ptr(),
                null_mut(),
            ));
        }
        Self(error_cases::session::Session::new(
            platform, devices, 2, properties,
        ))
    }

    /// A context over these devices, with queues on the first.
    pub fn over(platform: cl_platform_id, devices: Vec<cl_device_id>) -> Self {
        Self(error_cases::session::Session::over(platform, devices))
    }

    /// Over a device that tests fill with large objects, and that no other test has
    /// meanwhile.
    pub fn with_a_device_alone() -> (Self, MutexGuard<'static, ()>) {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let all = Self::open();
        (Self::over(all.platform, vec![all.devices[2]]), turn)
    }
}
