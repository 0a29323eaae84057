//! A build that goes on for as long as a test wants: the program includes a pipe, and the
//! compiler waits for somebody who writes into it.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ffi::{CString, c_void};
use std::fs::OpenOptions;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::ptr::null;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

/// What is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Build,
    Compile,
}

/// A program that is being built until this is dropped.
pub struct HeldBuild {
    pub program: cl_program,
    pipe: PathBuf,
    ended: Receiver<()>,
}

/// Sends through the `Sender` that is given away as `data`.
extern "C" fn tell(_: cl_program, data: *mut c_void) {
    // SAFETY: the sender is given away, and the function is called once.
    let sender = unsafe { Box::from_raw(data.cast::<Sender<()>>()) };
    let _ = sender.send(());
}

impl HeldBuild {
    /// Begins to build `source` for `devices` (none: all of the context's).
    pub fn begin(session: &Session, devices: &[cl_device_id], step: Step, source: &str) -> Self {
        static PIPES: AtomicUsize = AtomicUsize::new(0);
        let number = PIPES.fetch_add(1, Ordering::Relaxed);
        let name = format!("pipe-{}-{number}", std::process::id());
        let pipe = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        let path = CString::new(pipe.as_os_str().as_bytes()).unwrap();
        // SAFETY: the path outlives the call.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
        let source = format!("#include \"{}\"\n{source}", pipe.display());
        let program = session.program(&source);
        let (sender, ended) = channel::<()>();
        let data = Box::into_raw(Box::new(sender)).cast();
        let count = devices.len() as u32;
        let list = if devices.is_empty() {
            null()
        } else {
            devices.as_ptr()
        };
        // SAFETY: `tell` takes the sender as it was given away; lists are read during the call.
        ok(unsafe {
            match step {
                Step::Build => clBuildProgram(program, count, list, null(), Some(tell), data),
                Step::Compile => clCompileProgram(
                    program,
                    count,
                    list,
                    null(),
                    0,
                    null(),
                    null(),
                    Some(tell),
                    data,
                ),
            }
        });
        Self {
            program,
            pipe,
            ended,
        }
    }
}

impl Drop for HeldBuild {
    fn drop(&mut self) {
        // Opening waits for the compiler to read; closing ends what it reads.
        drop(OpenOptions::new().write(true).open(&self.pipe));
        let _ = self.ended.recv();
        let _ = std::fs::remove_file(&self.pipe);
    }
}
