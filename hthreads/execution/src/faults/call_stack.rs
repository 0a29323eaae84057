//! The calls on a thread's stack.

use libc::{c_int, c_void};

use crate::assembly::Activation;

/// A call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// Of code from C: an address within it.
    Native(usize),
    /// Of code in assembly: the file and the packet.
    Assembly((usize, u32)),
}

/// Most frames.
const MAX_FRAMES: usize = 256;

/// `_URC_NO_REASON` and `_URC_NORMAL_STOP` (System V psABI for x86-64, section 6.2).
const CONTINUE: c_int = 0;
const STOP: c_int = 4;

unsafe extern "C" {
    fn _Unwind_Backtrace(
        visit: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        frames: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(frame: *mut c_void) -> usize;
    fn _Unwind_GetCFA(frame: *mut c_void) -> usize;
}

/// A frame on the thread's stack.
struct Frame {
    /// An address within the call.
    at: usize,
    /// The end of the frame.
    end: usize,
}

/// The calls that have led here, from the innermost one on. Functions in assembly have frames of the interpreter
/// on the stack.
pub fn calls(activations: &[Activation]) -> Vec<Call> {
    let mut left = activations.iter().rev().peekable();
    let mut calls = Vec::new();
    for frame in frames() {
        while let Some(one) = left.next_if(|one| one.stack < frame.end) {
            calls.push(Call::Assembly(one.at));
        }
        calls.push(Call::Native(frame.at));
    }
    calls.extend(left.map(|one| Call::Assembly(one.at)));
    calls
}

fn frames() -> Vec<Frame> {
    extern "C" fn visit(frame: *mut c_void, frames: *mut c_void) -> c_int {
        // SAFETY: the unwinder passes the list below, which nothing else uses.
        let frames = unsafe { &mut *frames.cast::<Vec<Frame>>() };
        // SAFETY: the frame is the unwinder's.
        let (next, end) = unsafe { (_Unwind_GetIP(frame), _Unwind_GetCFA(frame)) };
        frames.push(Frame {
            at: next.wrapping_sub(1),
            end,
        });
        match frames.len() < MAX_FRAMES {
            true => CONTINUE,
            false => STOP,
        }
    }
    let mut frames: Vec<Frame> = Vec::new();
    // SAFETY: `visit` has the type that the unwinder demands; it reads the stack only.
    unsafe { _Unwind_Backtrace(visit, (&raw mut frames).cast()) };
    frames
}
