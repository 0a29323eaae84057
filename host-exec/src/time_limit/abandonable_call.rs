//! Calls of work-group functions that a signal handler can end: the thread continues after the call,
//! as after `longjmp`. Compiled code owns nothing, so nothing is lost but its results.

use crate::work_group::{WorkGroupContext, WorkGroupFunction};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where the thread continues if its call is ended.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Resumption {
    /// The stack pointer; 0 outside of calls.
    stack: AtomicU64,
    instruction: AtomicU64,
}

impl Resumption {
    /// Has the interrupted thread continue after its call, if it is in one.
    ///
    /// # Safety
    /// The thread executes compiled code of this call, which calls nothing.
    pub unsafe fn resume(&self, context: &mut libc::ucontext_t) {
        let stack = self.stack.load(Ordering::Relaxed);
        if stack != 0 {
            let registers = &mut context.uc_mcontext.gregs;
            registers[libc::REG_RSP as usize] = stack as i64;
            registers[libc::REG_RIP as usize] = self.instruction.load(Ordering::Relaxed) as i64;
        }
    }
}

// Keeps the registers that a callee preserves (System V ABI, AMD64 supplement, section 3.2.1) on the
// stack, so that the stack pointer is all that a handler has to restore.
std::arch::global_asm!(
    ".p2align 4",
    ".type mocl3_call_abandonable, @function",
    "mocl3_call_abandonable:",
    ".cfi_startproc",
    "push rbp",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbp, -16",
    "mov rbp, rsp",
    ".cfi_def_cfa_register rbp",
    "push rbx",
    ".cfi_offset rbx, -24",
    "push r12",
    ".cfi_offset r12, -32",
    "push r13",
    ".cfi_offset r13, -40",
    "push r14",
    ".cfi_offset r14, -48",
    "push r15",
    ".cfi_offset r15, -56",
    "sub rsp, 24",
    "stmxcsr [rsp]",
    "fnstcw [rsp + 4]",
    "mov [rsp + 8], rcx",
    "lea rax, [rip + 2f]",
    "mov [rcx + 8], rax",
    "mov [rcx], rsp",
    "mov rax, rdi",
    "mov rdi, rsi",
    "mov rsi, rdx",
    "call rax",
    "mov eax, 1",
    "jmp 3f",
    "2:",
    "cld",
    "ldmxcsr [rsp]",
    "fninit",
    "fldcw [rsp + 4]",
    "xor eax, eax",
    "3:",
    "mov rcx, [rsp + 8]",
    "mov qword ptr [rcx], 0",
    "add rsp, 24",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    ".cfi_def_cfa rsp, 8",
    "ret",
    ".cfi_endproc",
    ".size mocl3_call_abandonable, . - mocl3_call_abandonable",
);

unsafe extern "C" {
    fn mocl3_call_abandonable(
        function: WorkGroupFunction,
        arguments: *const u8,
        context: *const WorkGroupContext,
        resumption: *const Resumption,
    ) -> u32;
}

/// Calls a work-group function; false if it was ended.
///
/// # Safety
/// As the function's.
pub(crate) unsafe fn call(
    function: WorkGroupFunction,
    arguments: *const u8,
    context: *const WorkGroupContext,
    resumption: &Resumption,
) -> bool {
    // SAFETY: as the caller promises.
    unsafe { mocl3_call_abandonable(function, arguments, context, resumption) != 0 }
}
