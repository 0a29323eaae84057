//! Calls of functions in assembly.

use super::activation::Activation;
use super::convention;
use super::environment::ThreadEnvironment;
use super::exceptions;
use crate::device_thread::{DeviceThread, current};
use crate::exception::{Exception, Raised};
use device_assembly::execution::{Registers, run};
use kernel_compiler::device_c::assembly::MOST_ARGUMENTS;

/// Bytes at the end of AM and SM that the machine's start code has on its stacks: none of its functions begins
/// with an empty stack. The number is an assumption.
const STACK_OF_START: usize = 256;

/// Executes a function in assembly from a packet on; `table` is the table of symbols of its file.
///
/// # Safety
/// There are `MOST_ARGUMENTS` arguments.
pub unsafe extern "C" fn call(table: *const u64, packet: u32, arguments: *const u64) -> u64 {
    let thread = current();
    // SAFETY: as the caller promises.
    let arguments = unsafe { std::slice::from_raw_parts(arguments, MOST_ARGUMENTS) };
    let assembly = thread.code.assembly();
    let Some(file) = assembly.file(table.expose_provenance() as u64) else {
        thread.raise(Raised::new(Exception::INVALID_OPERATION))
    };
    let stacks = stacks(thread);
    thread.activations.borrow_mut().push(Activation {
        at: (file, packet),
        stack: (&raw const file).addr(),
        stacks,
    });
    let mut registers = Registers::new();
    convention::set_arguments(&mut registers, arguments);
    convention::set_stacks(&mut registers, stacks);
    let mut environment = ThreadEnvironment::new(thread, (file, packet));
    environment.enter(&mut registers);
    let outcome = run(
        assembly.codes(),
        (file, packet),
        &mut registers,
        &mut environment,
    );
    environment.leave(&registers);
    let result = convention::result(&registers);
    // Nothing is owned here when the thread stops.
    drop(registers);
    if let Err(fault) = outcome {
        environment.note_fault(fault);
        thread.raise(exceptions::of_fault(fault));
    }
    thread.activations.borrow_mut().pop();
    result
}

/// Where the stacks of a function begin that is called now.
fn stacks(thread: &DeviceThread) -> [u64; 2] {
    if let Some(last) = thread.activations.borrow().last() {
        return last.stacks;
    }
    let memory = &thread.member().memory;
    [&memory.am, &memory.sm].map(|memory| (memory.end() - STACK_OF_START) as u64)
}
