//! A build that lasts until a test releases it: the program includes a file on which the
//! test holds a lease (fcntl(2)), and the compiler waits until the test gives it up.

use crate::session::{Session, ok};
use cl_sys::*;
use std::ffi::c_void;
use std::os::fd::AsRawFd;
use std::ptr::null;
use std::sync::mpsc::{Receiver, Sender, channel};
use tempfile::NamedTempFile;

/// Chooses the signal that asks the holder of a lease to give it up (asm-generic/fcntl.h).
const F_SETSIG: i32 = 10;

/// What is held.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Build,
    Compile,
}

/// A program that is being built until this is dropped.
pub struct HeldBuild {
    pub program: cl_program,
    header: NamedTempFile,
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
        let header = NamedTempFile::new_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        // The default signal, SIGIO, would end the process.
        control(&header, F_SETSIG, libc::SIGURG);
        control(&header, libc::F_SETLEASE, libc::F_WRLCK);
        let source = format!("#include \"{}\"\n{source}", header.path().display());
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
            header,
            ended,
        }
    }
}

impl Drop for HeldBuild {
    fn drop(&mut self) {
        control(&self.header, libc::F_SETLEASE, libc::F_UNLCK);
        let _ = self.ended.recv();
    }
}

/// Calls fcntl(2) on an open file.
#[track_caller]
fn control(file: &NamedTempFile, command: i32, value: i32) {
    // SAFETY: the descriptor is open, and the commands take integers.
    let code = unsafe { libc::fcntl(file.as_raw_fd(), command, value) };
    assert_eq!(code, 0, "{}", std::io::Error::last_os_error());
}
