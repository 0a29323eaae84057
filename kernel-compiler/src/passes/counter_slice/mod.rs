//! Reduces timed code to its counter slice: what its counters and its DMA events depend on (a program
//! slice, docs/bibliography.md). The work of the kernel is left to untimed code, to which all
//! transformations for the host apply; the costs are those of the machine's code, so that
//! simulated time does not change. Code whose counters depend on data of the program has no slice.

mod accesses;
mod backward_search;
pub mod followed_data;
mod memory_objects;
mod obstacle;
mod profitability;

use crate::analysis::effects;
use crate::ir::{self, Builder, Opcode, Type, Value};
use crate::passes::instrumentation::{TIMED_TRANSFER, TIMED_WAIT};
use accesses::{DESTINATION, Intrinsic, SOURCE, intrinsic};
use backward_search::BackwardSearch;
pub use backward_search::KnownMemory;
use device_sim::timing::cost::{GroupDependence, SliceDependence};
use host_exec::abi::direction;
use host_exec::work_group::{NdRange, WorkGroupContext};
use memory_objects::MemoryObject;
pub use obstacle::Obstacle;
use std::collections::HashSet;
use std::mem::offset_of;

/// Records a transfer that untimed code performs: the recorder, the site, the direction
/// (`host_exec::abi::direction`), the destination or null if the direction is known, the strides of
/// destination and source, bytes of a row, rows, event.
pub const RECORDED_TRANSFER: &str = "__mocl3_recorded_transfer";

/// The counter slice of a function.
pub struct CounterSlice {
    /// Its instructions.
    kept: HashSet<Value>,
    /// The transfers among them, with their directions (`host_exec::abi::direction`).
    transfers: Vec<(Value, u32)>,
    /// What else than the launch the counters and events depend on.
    pub dependence: SliceDependence,
}

/// Finds the slice of timed code that has its counters.
///
/// # Errors
/// There is none.
pub fn find(function: Value, memory: KnownMemory<'_>) -> Result<CounterSlice, Obstacle> {
    let mut search = Search {
        found: BackwardSearch::new(function, memory),
        separate_objects: memory.separate_objects,
        transfers: Vec::new(),
        dependence: SliceDependence {
            group: GroupDependence::None,
            buffers: false,
        },
    };
    for instruction in function.instructions() {
        if search.is_root(instruction) {
            search.found.find_all([instruction]);
        }
    }
    while let Some(instruction) = search.found.next() {
        search.visit(instruction)?;
    }
    Ok(CounterSlice {
        kept: search.found.into_found(),
        transfers: search.transfers,
        dependence: search.dependence,
    })
}

/// Whether untimed code and the slice together should take less time than the function.
pub fn is_profitable(function: Value, slice: &CounterSlice) -> bool {
    profitability::is_profitable(function, &slice.kept)
}

/// Removes from a function what is not in its slice.
pub fn reduce(function: Value, slice: &CounterSlice) {
    for &(transfer, direction) in &slice.transfers {
        record_only(transfer, direction);
    }
    for instruction in function.instructions() {
        let is_replaced = instruction.calls(RECORDED_TRANSFER);
        if !is_replaced && !slice.kept.contains(&instruction) {
            instruction.erase();
        }
    }
}

/// Replaces a timed transfer by one that is only recorded.
fn record_only(transfer: Value, direction: u32) {
    let b = Builder::new(transfer.ty().context());
    let operands = transfer.operands();
    let [
        recorder,
        site,
        to,
        to_stride,
        _,
        from_stride,
        row_bytes,
        rows,
        event,
        _,
    ] = operands[..]
    else {
        unreachable!("a timed transfer has nine arguments");
    };
    let destination = match direction {
        direction::BY_ADDRESS => to,
        _ => to.ty().zero(),
    };
    let direction = b.i32().constant(direction.into());
    let arguments = [
        recorder,
        site,
        direction,
        destination,
        to_stride,
        from_stride,
        row_bytes,
        rows,
        event,
    ];
    let module = transfer.block().function().module();
    let function = ir::function(module, RECORDED_TRANSFER).unwrap_or_else(|| {
        let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
        ir::add_function(
            module,
            RECORDED_TRANSFER,
            Type::function(transfer.ty(), &types),
        )
    });
    b.before(transfer);
    let recorded = b.call(function, &arguments);
    if !transfer.ty().is_void() {
        transfer.replace_all_uses_with(recorded);
    }
    transfer.erase();
}

/// The search for a slice, backwards from what it has to keep.
struct Search {
    /// The slice so far.
    found: BackwardSearch,
    separate_objects: bool,
    transfers: Vec<(Value, u32)>,
    dependence: SliceDependence,
}

impl Search {
    /// Whether an instruction belongs to the slice whatever else does.
    fn is_root(&self, instruction: Value) -> bool {
        instruction.is_terminator()
            || instruction.calls(TIMED_TRANSFER)
            || instruction.calls(TIMED_WAIT)
            || (instruction.is(Opcode::LLVMStore)
                && self
                    .found
                    .objects
                    .objects_at(instruction.operand(1))
                    .contains(&MemoryObject::Counters))
    }

    /// Adds what an instruction of the slice depends on.
    fn visit(&mut self, instruction: Value) -> Result<(), Obstacle> {
        match instruction.opcode() {
            Opcode::LLVMLoad | Opcode::LLVMStore
                if instruction.is_volatile() || instruction.is_atomic() =>
            {
                return Err(Obstacle::SideEffect);
            }
            Opcode::LLVMLoad => self.reads(instruction.operand(0))?,
            Opcode::LLVMCall => return self.visit_call(instruction),
            Opcode::LLVMPHI => {
                let incoming = instruction.incoming().into_iter();
                self.found.find_all(incoming.map(|(value, _)| value));
                return Ok(());
            }
            Opcode::LLVMStore => {}
            _ if instruction.is_terminator() => {}
            _ if effects::effect(instruction) != effects::Effect::None => {
                return Err(Obstacle::SideEffect);
            }
            _ => {}
        }
        self.found.find_all(instruction.operands());
        Ok(())
    }

    fn visit_call(&mut self, call: Value) -> Result<(), Obstacle> {
        if call.calls(TIMED_TRANSFER) {
            let direction = self.direction(call.operand(DESTINATION));
            self.transfers.push((call, direction));
            let is_needed = |number: u32| {
                let is_address = number == DESTINATION && direction != direction::BY_ADDRESS;
                number != SOURCE && !is_address
            };
            let operands = (0..).zip(call.operands());
            let needed = operands.filter(|(number, _)| is_needed(*number));
            self.found.find_all(needed.map(|(_, operand)| operand));
            return Ok(());
        }
        match intrinsic(call) {
            Some(Intrinsic::Load) => self.reads(call.operand(0))?,
            Some(Intrinsic::Copy) => self.reads(call.operand(1))?,
            Some(Intrinsic::Store | Intrinsic::Fill) => {}
            None if call.calls(TIMED_WAIT) || call.is_computing_call() => {}
            None => return Err(Obstacle::SideEffect),
        }
        self.found.find_all(call.operands());
        Ok(())
    }

    /// The slice reads memory at this address, so it has all that may write it.
    fn reads(&mut self, address: Value) -> Result<(), Obstacle> {
        for object in self.found.objects.objects_at(address) {
            let Some(writers) = self.found.writers_at_first_read(object) else {
                continue;
            };
            match object {
                MemoryObject::Local | MemoryObject::Global => return Err(Obstacle::ProgramData),
                // Nothing writes the object while the kernel runs.
                MemoryObject::Argument(_) if self.separate_objects && writers.is_empty() => {
                    self.dependence.buffers = true;
                }
                MemoryObject::Argument(_) => return Err(Obstacle::ProgramData),
                MemoryObject::Unknown => return Err(Obstacle::UnknownMemory),
                MemoryObject::Context(offset) if !belongs_to_launch(offset) => {
                    self.dependence.group = GroupDependence::GroupId;
                }
                _ => {}
            }
            self.found.find_all(writers);
        }
        Ok(())
    }

    /// The direction of a transfer to this address.
    fn direction(&self, destination: Value) -> u32 {
        let objects = self.found.objects.objects_at(destination);
        let is_global = |object: &MemoryObject| {
            matches!(object, MemoryObject::Global | MemoryObject::Argument(_))
        };
        if objects.iter().all(|object| *object == MemoryObject::Local) {
            direction::TO_LOCAL
        } else if objects.iter().all(is_global) {
            direction::TO_GLOBAL
        } else {
            direction::BY_ADDRESS
        }
    }
}

/// Whether a field of the group's context, at this offset in bytes, is the same in all groups of a
/// launch, or a pointer to memory of the group's own.
fn belongs_to_launch(offset: Option<u64>) -> bool {
    let pointers = [
        offset_of!(WorkGroupContext, local_memory),
        offset_of!(WorkGroupContext, private_memory),
        offset_of!(WorkGroupContext, counters),
        offset_of!(WorkGroupContext, recorder),
    ];
    let nd_range = offset_of!(WorkGroupContext, nd_range);
    let nd_range = nd_range..nd_range + size_of::<NdRange>();
    offset.is_some_and(|offset| {
        let offset = offset as usize;
        nd_range.contains(&offset) || pointers.contains(&offset)
    })
}
