//! Runs programs as the specification describes it. Each work-item has its own stack and program
//! counter and runs until the next barrier. Undefined behaviour and dependence on the order of
//! work-items are errors.

mod arithmetic;
mod expression;
mod group;
mod lower;
mod memory;
mod place;
mod statement;
mod undefined;

use super::ast::*;
use super::types::{Scalar, Shape, Type, field_offset, layout};
use arithmetic::Components as Value;
use lower::{Code, Instruction};
use memory::{Access, Memory};
use std::collections::HashMap;
pub use undefined::{Cause, Undefined};

/// Maximum number of steps of a program.
const MOST_STEPS: usize = 400_000;
/// Maximum number of bytes of private memory of a work-item.
const MOST_PRIVATE_BYTES: usize = 1 << 16;

/// The bytes of values of one type, one after another.
pub fn bytes_of(ty: Type, elements: &[Vec<i128>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for element in elements {
        let start = bytes.len();
        for &component in element {
            let size = ty.scalar.bits() as usize / 8;
            let bits = ty.scalar.to_bits(component);
            bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
        }
        bytes.resize(start + ty.bytes(), 0);
    }
    bytes
}

/// Runs a program. Returns the contents of the buffers, in the order of [`Program::buffers`].
///
/// # Errors
/// The program is invalid, or its result is undefined.
pub fn run(program: &Program) -> Result<Vec<Vec<u8>>, Undefined> {
    run_filled(program, None)
}

/// As [`run`], where bytes that were never written have this value, if it is given.
///
/// # Errors
/// As [`run`]'s.
pub fn run_filled(program: &Program, fill: Option<u8>) -> Result<Vec<Vec<u8>>, Undefined> {
    let mut global = Vec::new();
    let mut objects = vec![None; program.variables.len()];
    let mut ranges = Vec::new();
    for contents in program.constants.iter().chain(&program.buffers) {
        let ty = match &program.variables[contents.variable] {
            Variable::Object {
                shape: Shape::Array(element, _),
                ..
            } => (**element).clone(),
            Variable::Pointer { element, .. } => element.clone(),
            Variable::Object { .. } => return Err(Undefined::new("not an array")),
        };
        let Shape::Value(ty) = ty else {
            return Err(Undefined::new("buffers hold scalars and vectors"));
        };
        global.resize(global.len().next_multiple_of(128), 0);
        let start = global.len();
        global.extend(bytes_of(ty, &contents.elements));
        objects[contents.variable] = Some(Address {
            space: Space::Global,
            start,
            end: global.len(),
            offset: start,
        });
        ranges.push(start..global.len());
    }
    let mut local_bytes = 0usize;
    let mut add_local = |size: usize| {
        let start = local_bytes.next_multiple_of(128);
        local_bytes = start + size;
        Some(Address {
            space: Space::Local,
            start,
            end: local_bytes,
            offset: start,
        })
    };
    for &array in &program.kernel.local_arrays {
        if let Variable::Object { shape, .. } = &program.variables[array] {
            objects[array] = add_local(layout(shape, &program.structs).0);
        }
    }
    for &(parameter, elements) in &program.local_parameters {
        if let Variable::Pointer { element, .. } = &program.variables[parameter] {
            objects[parameter] = add_local(layout(element, &program.structs).0 * elements);
        }
    }
    let mut code = Vec::new();
    for function in program.helpers.iter().chain([&program.kernel]) {
        code.push(lower::function(program, function)?);
    }
    let mut machine = Machine {
        program,
        code,
        memory: Memory::new(&global, local_bytes, fill),
        fill,
        objects,
        steps: 0,
        group: [0; 3],
        tickets: HashMap::new(),
    };
    machine.groups()?;
    let global = machine.memory.global();
    let buffers = ranges.into_iter().skip(program.constants.len());
    Ok(buffers.map(|range| global[range].to_vec()).collect())
}

/// An address, and the bounds of its object.
#[derive(Clone, Copy, Debug)]
struct Address {
    space: Space,
    start: usize,
    end: usize,
    offset: usize,
}

impl Address {
    fn plus(self, bytes: usize) -> Self {
        Self {
            offset: self.offset + bytes,
            ..self
        }
    }
}

struct Frame {
    function: usize,
    /// Index of the next instruction.
    position: usize,
    /// Addresses of objects.
    names: HashMap<VariableId, Address>,
    /// Values of pointers.
    pointers: HashMap<VariableId, Address>,
    /// Size of private memory before the call, in bytes.
    private_bytes: usize,
    /// The caller's variable for the result.
    result: Option<VariableId>,
}

struct Item {
    number: usize,
    local_id: [usize; 3],
    frames: Vec<Frame>,
    private: Vec<u8>,
}

/// The reason for which a work-item stops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stop {
    Finished,
    Barrier,
}

struct Machine<'a> {
    program: &'a Program,
    code: Vec<Code<'a>>,
    memory: Memory,
    /// The value of bytes that were never written; without it, reading them is an error.
    fill: Option<u8>,
    /// Buffers, constants and local memory.
    objects: Vec<Option<Address>>,
    steps: usize,
    group: [usize; 3],
    /// The use of each counter, by its address space and offset.
    tickets: HashMap<(Space, usize), Tickets>,
}

/// The use of a counter's numbers. Only if it is the same for all of them, their sum does not
/// depend on the order in which work-items take them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Tickets {
    total: (Space, usize),
    up: bool,
    factor: i128,
}

/// Sizes of all three dimensions.
fn three(sizes: &[usize], missing: usize) -> [usize; 3] {
    let mut all = [missing; 3];
    all[..sizes.len()].copy_from_slice(sizes);
    all
}

/// Allocates an object in private memory.
fn allocate(item: &mut Item, shape: &Shape, program: &Program) -> Result<Address, Undefined> {
    let (size, _) = layout(shape, &program.structs);
    let start = item.private.len();
    if start + size > MOST_PRIVATE_BYTES {
        return Err(Undefined::new("too much private memory"));
    }
    item.private.resize(start + size, 0xa5);
    Ok(Address {
        space: Space::Private,
        start,
        end: start + size,
        offset: start,
    })
}

/// A running work-item.
struct Worker<'w, 'a> {
    machine: &'w mut Machine<'a>,
    item: &'w mut Item,
}

impl<'a> Worker<'_, 'a> {
    fn top(&mut self) -> &mut Frame {
        self.item.frames.last_mut().expect("a function runs")
    }
}

fn check(address: Address, size: usize) -> Result<(), Undefined> {
    if address.offset < address.start || address.offset + size > address.end {
        return Err(Undefined::with_cause(
            Cause::OutOfBounds,
            "an access outside of its object",
        ));
    }
    Ok(())
}

fn numbers(components: Option<&Components>, ty: Type) -> Vec<usize> {
    components.map_or_else(|| (0..ty.width).collect(), |c| c.numbers(ty.width))
}

/// Components from their bytes; the padding of a vector of 3 is allowed.
fn components_of(scalar: Scalar, bytes: &[u8]) -> Value {
    let mut value = [0; 16];
    let size = scalar.bits() as usize / 8;
    for (component, bytes) in value.iter_mut().zip(bytes.chunks_exact(size)) {
        let mut whole = [0; 8];
        whole[..size].copy_from_slice(bytes);
        *component = scalar.of_bits(u64::from_le_bytes(whole));
    }
    value
}
