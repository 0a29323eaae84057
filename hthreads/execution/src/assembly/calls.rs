//! Calls of functions in assembly.

use super::activation::Activation;
use super::convention;
use super::environment::ThreadEnvironment;
use super::exceptions;
use super::operand_area::OperandArea;
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
    // SAFETY: as the caller promises.
    let arguments = unsafe { std::slice::from_raw_parts(arguments, MOST_ARGUMENTS) };
    let prepare = |registers: &mut Registers| convention::set_arguments(registers, arguments);
    execute((table, packet), prepare, convention::result)
}

/// Executes a statement from a packet on; `table` is the table of symbols of its text.
///
/// # Safety
/// `area` has the number of its operands' registers, and the word and the value of each.
pub unsafe extern "C" fn statement(table: *const u64, packet: u32, area: *mut u64) {
    // SAFETY: as the caller promises.
    let area = || unsafe { OperandArea::new(area) };
    execute(
        (table, packet),
        |registers| area().copy_to(registers),
        |registers| area().copy_from(registers),
    );
}

fn execute<R>(
    (table, packet): (*const u64, u32),
    prepare: impl FnOnce(&mut Registers),
    finish: impl FnOnce(&Registers) -> R,
) -> R {
    let thread = current();
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
    convention::set_stacks(&mut registers, stacks);
    prepare(&mut registers);
    let mut environment = ThreadEnvironment::new(thread, (file, packet));
    environment.enter(&mut registers);
    let outcome = run(
        assembly.codes(),
        (file, packet),
        &mut registers,
        &mut environment,
    );
    environment.leave(&registers);
    let result = finish(&registers);
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
