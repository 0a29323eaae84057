//! How functions call each other in assembly (docs/hthreads.md#assembly).

use device_assembly::execution::Registers;
use kernel_compiler::device_c::assembly::MOST_ARGUMENTS;

/// The register with the first argument, which also has the result, and the distance to the next.
const FIRST_ARGUMENT: usize = 10;
const ARGUMENT_STEP: usize = 2;

/// The address registers with the ends of the stacks in AM and SM.
const STACKS: [usize; 2] = [7, 9];

/// The arguments.
pub fn arguments(registers: &Registers) -> [u64; MOST_ARGUMENTS] {
    std::array::from_fn(|number| registers.scalar[FIRST_ARGUMENT + ARGUMENT_STEP * number])
}

/// Sets the arguments.
pub fn set_arguments(registers: &mut Registers, arguments: &[u64]) {
    for (number, argument) in arguments.iter().enumerate() {
        registers.scalar[FIRST_ARGUMENT + ARGUMENT_STEP * number] = *argument;
    }
}

/// The result.
pub fn result(registers: &Registers) -> u64 {
    registers.scalar[FIRST_ARGUMENT]
}

/// Sets the result.
pub fn set_result(registers: &mut Registers, result: u64) {
    registers.scalar[FIRST_ARGUMENT] = result;
}

/// Where the stacks in AM and SM are.
pub fn stacks(registers: &Registers) -> [u64; 2] {
    STACKS.map(|number| registers.address[number])
}

/// Whether an address register has the end of a stack.
pub fn is_stack(register: u8) -> bool {
    STACKS.contains(&register.into())
}

/// Sets where the stacks are.
pub fn set_stacks(registers: &mut Registers, stacks: [u64; 2]) {
    for (number, address) in STACKS.into_iter().zip(stacks) {
        registers.address[number] = address;
    }
}
