//! Lets a thread that has faulted continue in a function that raises the exception: with the stack that it
//! has, so that the calls on it can be found, or, if that is used up, with the beginning of it. A thread that
//! is interrupted halts there.

use crate::device_thread::{DeviceThread, current};
use crate::exception::{Details, Exception, Raised};
use libc::{c_int, greg_t, ucontext_t};
use std::arch::naked_asm;

/// The signal that halts a thread. The system ignores it if nothing handles it, and sends it for urgent data on
/// sockets only.
pub const INTERRUPTION: c_int = libc::SIGURG;

/// Bytes of the stack that raising an exception needs.
const NEEDED: usize = 64 << 10;

/// Bytes at the beginning of the stack that stay: the scheduler's own frames.
const FIRST: usize = 256 << 10;

/// Bytes before and after a memory that nothing may access, and unused ones.
const AROUND: usize = 64 << 10;

/// Changes the context of a fault so that the thread raises an exception; false if it does not run on
/// its own stack. For signal handlers.
pub fn redirect(
    thread: &DeviceThread,
    signal: c_int,
    address: usize,
    context: &mut ucontext_t,
) -> bool {
    let registers = &mut context.uc_mcontext.gregs;
    let at = registers[libc::REG_RIP as usize] as usize;
    let top = registers[libc::REG_RSP as usize] as usize;
    let stack = &thread.stack;
    if !(stack.start.saturating_sub(AROUND)..stack.end).contains(&top) {
        return false;
    }
    let is_used_up = top < stack.start + NEEDED;
    // As if the instruction had called the function. Without room, calls end here: nothing is called
    // from address 0.
    let (new_top, caller) = match is_used_up {
        false => (top - size_of::<usize>(), at + 1),
        true => ((stack.end - FIRST) & !15, 0),
    };
    let place = std::ptr::with_exposed_provenance_mut::<usize>(new_top);
    // SAFETY: on the thread's own stack, below what its frames use; the thread does not return to a
    // red zone there.
    unsafe { place.write_unaligned(caller) };
    for (register, value) in [
        (libc::REG_RSP, new_top),
        (libc::REG_RIP, enter as *const () as usize),
        (libc::REG_RDI, address),
        (libc::REG_RSI, signal as usize),
        (libc::REG_RDX, is_used_up.into()),
    ] {
        registers[register as usize] = value as greg_t;
    }
    true
}

/// Aligns the stack and raises the exception.
#[unsafe(naked)]
extern "C" fn enter() {
    naked_asm!(
        ".cfi_startproc",
        "push rbp",
        ".cfi_def_cfa_offset 16",
        ".cfi_offset rbp, -16",
        "mov rbp, rsp",
        ".cfi_def_cfa_register rbp",
        "and rsp, -16",
        "call {raise}",
        "ud2",
        ".cfi_endproc",
        raise = sym raise,
    )
}

extern "C" fn raise(address: usize, signal: c_int, stack_is_used_up: bool) -> ! {
    let thread = current();
    if signal == INTERRUPTION {
        thread.halt();
    }
    thread.raise(match signal {
        libc::SIGSEGV | libc::SIGBUS => Raised {
            address: address as u64,
            ..of_access(thread, address, stack_is_used_up)
        },
        _ => Raised::new(Exception::INVALID_OPERATION),
    })
}

/// The exception of an access.
fn of_access(thread: &DeviceThread, address: usize, stack_is_used_up: bool) -> Raised {
    let memory = &thread.member().memory;
    if thread.is_transferring.get() {
        return Raised::new(Exception::DMA_OVERSTEP);
    }
    let (exception, details) = if stack_is_used_up {
        (Exception::SCALAR_UNIT, Some(Details::Sm("stack overflow")))
    } else if memory.am.is_near(address, AROUND) {
        (Exception::VECTOR_UNIT, Some(Details::Am("addr overstep")))
    } else if memory.sm.is_near(address, AROUND) {
        (Exception::SCALAR_UNIT, Some(Details::Sm("addr overstep")))
    } else {
        (Exception::DDR_OVERSTEP, None)
    };
    Raised {
        details,
        ..Raised::new(exception)
    }
}
