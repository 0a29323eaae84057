//! Costs of memory accesses, by memory and by the stride between lanes.

use super::addressing::address;
use super::addressing::space::Space;
use super::code::Code;
use super::memory_access::Access;
use super::operation::{CountedAccess, InstructionCost, Operation, Unit, WHOLE};
use super::outside_lines::{OutsideLines, outside_lines, stored_bytes};
use super::register_layout::RegisterLayout;
use super::stack_costs;
use super::uncached_costs::scalar_uncached;
use crate::analysis::iteration_step::IterationStep;
use crate::analysis::lane_step::lane_step;
use crate::ir::{Opcode, Value};
use device_sim::machine::SharedMemory;

/// Bytes above which the size of a block copy does not count.
const MAX_BLOCK_BYTES: u64 = 1 << 16;

/// Address computations followed to find out whether an address belongs to one lane.
const MAX_ADDRESS_DEPTH: u32 = 6;

/// The cost of a load or store; an unknown kind of access costs a scalar load.
pub fn load_or_store(code: &Code<'_>, instruction: Value) -> InstructionCost {
    let params = code.params;
    let Some(access) = Access::recognize(instruction) else {
        return InstructionCost::new(Unit::ScalarMemory, params.scalar_load, 1);
    };
    if let Some(lines) = outside_lines(code, instruction) {
        return vector_outside(code, instruction, &access, lines);
    }
    let is_vector = code.is_of_lanes(access.data(instruction));
    let layout = code.register_layout_of(access.ty, is_vector);
    let bytes = stored_bytes(code, &access);
    let is_store = access.stored.is_some();
    match (is_vector, code.space_of(&access, instruction)) {
        (true, Space::Sm) => vector_in_sm(code, is_store, bytes),
        (true, _) => vector_in_am(code, &access, layout, bytes),
        (false, Space::Outside(memory)) => {
            scalar_outside(code, instruction, &access, memory, bytes)
        }
        (false, Space::Sm) => scalar_in_sm(code, is_store, bytes),
        (false, Space::Am) => scalar_in_am(code, instruction, is_store, bytes),
        (false, Space::Private) if code.lanes_have_copies(access.pointer) => {
            scalar_in_am(code, instruction, is_store, bytes)
        }
        (false, Space::Private) => stack_costs::access(code, is_store, bytes),
    }
}

/// A vector access of DDR: lines requested through the array's port, which accepts requests while
/// earlier ones are outstanding.
fn vector_outside(
    code: &Code<'_>,
    instruction: Value,
    access: &Access,
    lines: OutsideLines,
) -> InstructionCost {
    let params = code.params;
    let lanes = params.lanes.max(1);
    let bytes = stored_bytes(code, access);
    let latency = match access.stored {
        None => params.latency(SharedMemory::Ddr),
        Some(_) => 1,
    };
    let issued = bytes.div_ceil(params.lane_width * lanes).max(1);
    let request = Operation::outside(Unit::VectorMemory, 1, 0);
    let mut chain = vec![request; issued as usize];
    let groups = lanes / lines.lanes_per_group;
    let traffic = lines.all * params.line;
    let unused = traffic.saturating_sub(bytes);
    let counted = code
        .active_groups(instruction, lines.lanes_per_group)
        .filter(|_| groups > 1)
        .map(|active| CountedAccess {
            active,
            traffic: traffic / groups,
            unused: unused / groups,
            outside: match lines.is_gathered {
                true => params.port(SharedMemory::Ddr, lines.all / groups),
                false => 0,
            },
        });
    // The requests of a gather are as many as there are active lanes.
    let busy = match counted {
        Some(counted) if counted.outside > 0 => 1,
        _ => params.port(SharedMemory::Ddr, lines.all),
    };
    chain.push(Operation::outside(Unit::Port, busy, latency));
    let all = match counted {
        Some(_) => 0,
        None => u64::from(traffic) * WHOLE,
    };
    InstructionCost {
        chain,
        instances: 1,
        unused: match counted {
            Some(_) => 0,
            None => unused,
        },
        counted,
        ..InstructionCost::default()
    }
    .moving(SharedMemory::Ddr, all)
}

/// A vector access of AM, where local memory and the lanes' private memory are.
fn vector_in_am(
    code: &Code<'_>,
    access: &Access,
    layout: RegisterLayout,
    bytes: u32,
) -> InstructionCost {
    let params = code.params;
    let latency = match access.stored {
        None => params.vector_load,
        Some(_) => params.vector_store,
    };
    let lane_bytes = bytes.div_ceil(params.lanes.max(1));
    let busy = if access.pointer.ty().is_vector() {
        match lane_step(access.pointer, code.layout) {
            Some(step) => bank_conflict_cycles(code, step, layout.bits.div_ceil(8)),
            None => params.am_gather,
        }
    } else {
        1
    };
    let operation = Operation {
        busy: busy.max(1),
        ..Operation::in_scratchpad(Unit::VectorMemory, latency + busy - 1)
    };
    InstructionCost {
        chain: vec![operation],
        instances: lane_bytes.div_ceil(params.lane_width).max(1),
        scratchpad_bytes: bytes,
        ..InstructionCost::default()
    }
}

/// Cycles, summed over the units, for which a load from memory outside would occupy those of AM if its data were
/// there, without those for which it occupies units of memory now.
pub fn cycles_in_am(code: &Code<'_>, load: Value, cost: &InstructionCost) -> u32 {
    let Some(access) = Access::recognize(load) else {
        return 0;
    };
    let bytes = stored_bytes(code, &access);
    let is_vector = code.is_of_lanes(access.data(load));
    let in_am = match is_vector {
        true => {
            let layout = code.register_layout_of(access.ty, true);
            vector_in_am(code, &access, layout, bytes)
        }
        false => scalar_in_am(code, load, false, bytes),
    };
    let now = cost.busy(Unit::VectorMemory) + cost.busy(Unit::ScalarMemory);
    in_am.busy(Unit::VectorMemory).saturating_sub(now)
}

/// Cycles of an access of AM whose lanes are `step` bytes apart: the most words requested of one
/// bank.
fn bank_conflict_cycles(code: &Code<'_>, step: i64, element_bytes: u32) -> u32 {
    let params = code.params;
    let (width, banks) = (i64::from(params.bank_width), i64::from(params.am_banks));
    let mut words: Vec<i64> = (0..i64::from(params.lanes))
        .map(|lane| lane.wrapping_mul(step).div_euclid(width))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut requests = vec![0u32; params.am_banks as usize];
    for word in words {
        requests[word.rem_euclid(banks) as usize] += 1;
    }
    let most = requests.into_iter().max().unwrap_or(1);
    most.max(1) * element_bytes.div_ceil(params.bank_width).max(1)
}

/// A vector access of local memory in SM: scalars, one after the other, that also pass through the
/// registers shared by the control core and the lanes.
fn vector_in_sm(code: &Code<'_>, is_store: bool, bytes: u32) -> InstructionCost {
    let params = code.params;
    let mut cost = scalar_in_sm(code, is_store, bytes);
    let (place, transfer) = if is_store {
        (
            0,
            Operation::in_registers(Unit::VectorInteger, params.to_scalar),
        )
    } else {
        (
            1,
            Operation::in_registers(Unit::ScalarMultiply, params.broadcast),
        )
    };
    cost.chain.insert(place, transfer);
    cost
}

/// A scalar access of SM.
fn scalar_in_sm(code: &Code<'_>, is_store: bool, bytes: u32) -> InstructionCost {
    let params = code.params;
    let latency = params.sm_latency(is_store);
    InstructionCost {
        chain: vec![Operation::in_scratchpad(Unit::ScalarMemory, latency)],
        instances: bytes.div_ceil(params.scalar_width).max(1),
        scratchpad_bytes: bytes,
        ..InstructionCost::default()
    }
}

/// A scalar access of AM: a load of one address by all lanes, then a transfer of one lane's value
/// to a scalar register unless only broadcasts use it; or a transfer to a lane, then a store.
fn scalar_in_am(
    code: &Code<'_>,
    instruction: Value,
    is_store: bool,
    bytes: u32,
) -> InstructionCost {
    let params = code.params;
    let broadcast = Operation::in_registers(Unit::ScalarMultiply, params.broadcast);
    let to_scalar = Operation::in_registers(Unit::VectorInteger, params.to_scalar);
    let access = |latency| Operation::in_scratchpad(Unit::VectorMemory, latency);
    let chain = if is_store {
        vec![broadcast, access(params.vector_store)]
    } else if is_only_broadcast(code, instruction) {
        vec![access(params.vector_load)]
    } else {
        vec![access(params.vector_load), to_scalar]
    };
    InstructionCost {
        chain,
        instances: bytes.div_ceil(params.lane_width).max(1),
        scratchpad_bytes: bytes,
        ..InstructionCost::default()
    }
}

/// Whether all uses of a scalar are broadcasts to the lanes.
fn is_only_broadcast(code: &Code<'_>, value: Value) -> bool {
    value.users().iter().all(|user| {
        let is_insertion = user.is(Opcode::LLVMInsertElement) && user.operand(1) == value;
        let is_splat = |user: &Value| user.is(Opcode::LLVMShuffleVector);
        is_insertion && code.is_of_lanes(*user) && user.users().iter().all(is_splat)
    })
}

/// A scalar access of a memory outside through the control core's data cache, which stalls on a miss. Scalar
/// accesses that may have been split off a gather go through the port instead.
fn scalar_outside(
    code: &Code<'_>,
    instruction: Value,
    access: &Access,
    memory: SharedMemory,
    bytes: u32,
) -> InstructionCost {
    let params = code.params;
    let is_load = access.stored.is_none();
    let is_cached =
        params.has_data_cache && !is_address_of_one_lane(code, access.pointer, MAX_ADDRESS_DEPTH);
    if !is_cached {
        return scalar_uncached(params, memory, !is_load, bytes);
    }
    let lines = missed_lines(code, instruction, access, bytes);
    // Stores are buffered.
    let (latency, miss_penalty) = if is_load {
        (
            params.cache_hit,
            params.latency(memory).saturating_sub(params.cache_hit),
        )
    } else {
        (params.scalar_store, 0)
    };
    InstructionCost {
        chain: vec![Operation::outside(Unit::ScalarMemory, 1, latency)],
        instances: bytes.div_ceil(params.scalar_width).max(1),
        stall: lines * u64::from(miss_penalty),
        ..InstructionCost::default()
    }
    .moving(memory, lines * u64::from(params.line))
}

/// Lines of the data cache that a scalar access misses on average, in 1/65536: the part of a line
/// by which its address advances per iteration, and one line if that is not known.
fn missed_lines(code: &Code<'_>, instruction: Value, access: &Access, bytes: u32) -> u64 {
    let line = u64::from(code.params.line);
    match code.iteration_step(access.pointer, code.block_of(instruction)) {
        Some(IterationStep::Constant(step)) => {
            let lines = u64::from(bytes.div_ceil(code.params.line));
            (step.unsigned_abs().min(line) * WHOLE / line) * lines
        }
        Some(IterationStep::Invariant | IterationStep::Unknown) => WHOLE,
        // Outside of loops: an address that all groups share stays in the cache.
        None => {
            let (base, _) = address::based(access.pointer, code.layout);
            let is_shared = base.is_global_variable() || code.argument(base).is_some();
            if is_shared { 0 } else { WHOLE }
        }
    }
}

/// Whether an address is computed from an element extracted from a vector of the lanes.
fn is_address_of_one_lane(code: &Code<'_>, address: Value, depth: u32) -> bool {
    if address.is(Opcode::LLVMExtractElement) {
        return code.is_of_lanes(address.operand(0));
    }
    let is_followed = [
        Opcode::LLVMGetElementPtr,
        Opcode::LLVMSExt,
        Opcode::LLVMZExt,
        Opcode::LLVMAdd,
        Opcode::LLVMShl,
        Opcode::LLVMMul,
        Opcode::LLVMAddrSpaceCast,
        Opcode::LLVMBitCast,
    ]
    .iter()
    .any(|opcode| address.is(*opcode));
    depth > 0
        && is_followed
        && address
            .operands()
            .into_iter()
            .any(|operand| is_address_of_one_lane(code, operand, depth - 1))
}

/// The cache line that a scalar access of memory outside touches, if its address without constants
/// is aligned to a line.
pub fn scalar_line(code: &Code<'_>, instruction: Value) -> Option<address::Sum> {
    let access = Access::recognize(instruction)?;
    let is_outside = matches!(code.space(access.pointer), Space::Outside(_));
    if code.is_of_lanes(access.data(instruction)) || !is_outside {
        return None;
    }
    let mut sum = address::sum(access.pointer, code.layout);
    let line = i64::from(code.params.line);
    sum.offset -= sum.offset.rem_euclid(line);
    Some(sum)
}

/// An atomic operation: a load, an operation and a store. In memory outside, these are the cycles
/// for which the line's lock is held.
pub fn atomic(code: &Code<'_>, instruction: Value) -> InstructionCost {
    let params = code.params;
    let change = Operation::in_registers(Unit::ScalarInteger, params.scalar_integer);
    if let Space::Outside(memory) = code.space(instruction.operand(0)) {
        let access = Operation::in_registers(Unit::ScalarMemory, 1);
        return InstructionCost {
            chain: vec![access, change, access],
            instances: 1,
            ..InstructionCost::default()
        }
        .moving(memory, 2 * u64::from(params.line) * WHOLE);
    }
    InstructionCost {
        chain: vec![
            Operation::in_scratchpad(Unit::VectorMemory, params.vector_load),
            Operation::in_registers(Unit::VectorInteger, params.to_scalar),
            change,
            Operation::in_registers(Unit::ScalarMultiply, params.broadcast),
            Operation::in_scratchpad(Unit::VectorMemory, params.vector_store),
        ],
        instances: 1,
        scratchpad_bytes: 16,
        ..InstructionCost::default()
    }
}

/// The cost of `memcpy`, `memmove` or `memset`, one lane's width at a time. An unknown length
/// counts as one line.
pub fn block(code: &Code<'_>, call: Value) -> InstructionCost {
    let params = code.params;
    let length = call.operand(2).as_integer();
    let bytes = length
        .unwrap_or(u64::from(params.line))
        .min(MAX_BLOCK_BYTES) as u32;
    let instances = bytes.div_ceil(params.lane_width).max(1);
    let mut cost = InstructionCost {
        instances,
        ..InstructionCost::default()
    };
    let is_copy = call.operand(1).ty().is_pointer();
    let source = is_copy.then(|| (call.operand(1), false));
    for (pointer, is_store) in source.into_iter().chain([(call.operand(0), true)]) {
        let space = match code.space(pointer) {
            // A stack that no cache holds is memory like any other.
            Space::Private if !code.stack_in_sm && !params.has_data_cache => {
                Space::Outside(SharedMemory::Ddr)
            }
            space => space,
        };
        match space {
            Space::Outside(memory) => {
                let lines = bytes.div_ceil(params.line);
                let busy = params.port(memory, lines).div_ceil(instances);
                let latency = if is_store { 1 } else { params.latency(memory) };
                cost.chain
                    .push(Operation::outside(Unit::Port, busy, latency));
                cost.traffic[memory as usize] += u64::from(lines * params.line) * WHOLE;
            }
            Space::Private if !code.lanes_have_copies(pointer) => {
                cost.append(stack_costs::access(code, is_store, bytes));
            }
            Space::Private | Space::Sm | Space::Am => {
                cost.append(scalar_in_sm(code, is_store, bytes));
            }
        }
    }
    cost
}

/// A transfer between lanes: a store to AM, then a load.
pub fn through_am(code: &Code<'_>, layout: RegisterLayout) -> InstructionCost {
    let params = code.params;
    InstructionCost {
        chain: vec![
            Operation::in_scratchpad(Unit::VectorMemory, params.vector_store),
            Operation::in_scratchpad(Unit::VectorMemory, params.vector_load),
        ],
        instances: layout.registers.max(1),
        scratchpad_bytes: 2 * layout.registers * params.lanes * layout.bits.div_ceil(8),
        ..InstructionCost::default()
    }
}
