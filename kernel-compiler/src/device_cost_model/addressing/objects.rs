//! The memories of device C's pointers. All of them have one type, so that the memory is that of the
//! object from which a pointer is derived: a buffer, a variable, or what the callers of a function
//! pass to it. What is not known is taken to be in DDR.

use super::address::Root;
use super::sources::sources;
use super::space::Space;
use crate::ir::{DataLayout, Opcode, Value};
use device_sim::machine::SharedMemory;
use std::collections::{HashMap, HashSet};

/// Passes over the calls of a program: the longest chain of functions that hand on a pointer.
const MAX_PASSES: usize = 8;

/// How the pointers of a function name memories.
#[derive(Debug)]
pub enum Addressing {
    /// By their types; arguments are in a block. Work-group functions.
    AddressSpaces,
    /// By the objects that they are derived from. Device C.
    Objects(Objects),
}

/// What is known of the objects of a program in device C.
#[derive(Debug, Default)]
pub struct Objects {
    /// Variables in GSM.
    gsm: HashSet<Value>,
    /// The memories of what parameters point to.
    parameters: HashMap<Value, Space>,
}

impl Objects {
    /// The objects of a program of these functions, whose variables `gsm` are in GSM.
    pub fn find(functions: &[Value], gsm: &[Value], layout: DataLayout) -> Self {
        let mut objects = Self {
            gsm: gsm.iter().copied().collect(),
            parameters: HashMap::new(),
        };
        let defined = functions.iter().filter(|one| !one.is_declaration());
        let instructions: Vec<Value> = defined.flat_map(|one| one.instructions()).collect();
        for _ in 0..MAX_PASSES {
            let parameters = objects.passed(&instructions, layout);
            if parameters == objects.parameters {
                break;
            }
            objects.parameters = parameters;
        }
        objects
    }

    /// The memories that all calls of a function agree in, by its parameters.
    fn passed(&self, instructions: &[Value], layout: DataLayout) -> HashMap<Value, Space> {
        let mut parameters: HashMap<Value, Space> = HashMap::new();
        for call in instructions {
            let called = call.is(Opcode::LLVMCall).then(|| call.called_function());
            let Some(function) = called.flatten().filter(|one| !one.is_declaration()) else {
                continue;
            };
            for (parameter, argument) in function.parameters().into_iter().zip(call.operands()) {
                if !parameter.ty().is_pointer() {
                    continue;
                }
                let space = self.space(argument, layout);
                let known = parameters.entry(parameter).or_insert(space);
                if *known != space {
                    *known = Space::Outside(SharedMemory::Ddr);
                }
            }
        }
        parameters
    }

    /// The memory that a pointer refers to: that of all objects from which it may be derived.
    pub fn space(&self, pointer: Value, layout: DataLayout) -> Space {
        let unknown = Space::Outside(SharedMemory::Ddr);
        let roots = sources(pointer, layout).unwrap_or_default();
        let mut spaces = roots.into_iter().map(|root| self.space_of_root(root));
        let first = spaces.next().unwrap_or(unknown);
        match spaces.all(|space| space == first) {
            true => first,
            false => unknown,
        }
    }

    fn space_of_root(&self, root: Root) -> Space {
        match root {
            Root::Variable(_) => Space::Private,
            Root::Allocation(_, space) => space,
            Root::Global(variable) if self.gsm.contains(&variable) => {
                Space::Outside(SharedMemory::Gsm)
            }
            Root::Parameter(parameter) => {
                let known = self.parameters.get(&parameter).copied();
                known.unwrap_or(Space::Outside(SharedMemory::Ddr))
            }
            _ => Space::Outside(SharedMemory::Ddr),
        }
    }
}
