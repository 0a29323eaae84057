//! What loads and stores take, by memory and by how lanes' places lie.

use super::address::{self, Root, Space, root, space};
use super::code::Code;
use super::instruction_costs::{Form, MemoryLevel, Operation, Unit, WHOLE, Work};
use crate::analysis::iteration_step::IterationStep;
use crate::analysis::lane_step::lane_step;
use crate::ir::{Opcode, Type, Value};

/// A load or a store.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// One address, or a vector of them.
    pub pointer: Value,
    /// What is stored; none for loads.
    pub stored: Option<Value>,
    /// The type that is loaded or stored.
    pub ty: Type,
}

impl Access {
    /// What an instruction accesses; none if it is neither load nor store.
    pub fn of(instruction: Value) -> Option<Self> {
        match instruction.opcode() {
            Opcode::LLVMLoad => Some(Self {
                pointer: instruction.operand(0),
                stored: None,
                ty: instruction.ty(),
            }),
            Opcode::LLVMStore => Some(Self {
                pointer: instruction.operand(1),
                stored: Some(instruction.operand(0)),
                ty: instruction.operand(0).ty(),
            }),
            Opcode::LLVMCall => {
                let name = instruction.called_function()?.name();
                let kind = name.strip_prefix("llvm.masked.")?;
                let stores = ["store", "scatter", "compressstore"]
                    .iter()
                    .any(|start| kind.starts_with(start));
                let stored = stores.then(|| instruction.operand(0));
                Some(Self {
                    pointer: instruction.operand(u32::from(stores)),
                    stored,
                    ty: stored.unwrap_or(instruction).ty(),
                })
            }
            _ => None,
        }
    }
}

fn operation(unit: Unit, busy: u32, latency: u32, level: MemoryLevel) -> Operation {
    Operation {
        unit,
        busy: busy.max(1),
        latency,
        level,
    }
}

/// Of an access; not known ones are scalar accesses of the stack.
pub fn work(code: &Code<'_>, instruction: Value) -> Work {
    let n = code.params;
    let Some(access) = Access::of(instruction) else {
        return Work::of(Unit::ScalarMemory, n.scalar_load, 1);
    };
    let data = access.stored.unwrap_or(instruction);
    let is_vector = code.is_of_lanes(data);
    let form = code.form_of(access.ty, is_vector);
    let bytes = code.layout.stored(access.ty).min(1 << 20) as u32;
    match (is_vector, space(access.pointer)) {
        (true, Space::Outside) => lanes_outside(code, instruction, &access, form, bytes),
        (true, Space::Local) if n.local_in_sm => lanes_in_sm(code, &access, bytes),
        (true, _) => lanes_in_am(code, &access, form, bytes),
        (false, Space::Outside) => scalar_outside(code, instruction, &access, bytes),
        (false, Space::Local) if n.local_in_sm => in_sm(code, access.stored.is_some(), bytes),
        (false, Space::Local) => scalar_in_am(code, instruction, &access, bytes),
        (false, Space::Private) if code.lanes_have_copies(access.pointer) => {
            scalar_in_am(code, instruction, &access, bytes)
        }
        (false, Space::Private) => on_stack(code, access.stored.is_some(), bytes),
    }
}

/// Lines of DDR, asked for through the array's port: one request may follow another before that
/// is answered.
fn lanes_outside(
    code: &Code<'_>,
    instruction: Value,
    access: &Access,
    form: Form,
    bytes: u32,
) -> Work {
    let n = code.params;
    let latency = match access.stored {
        None => n.ddr_latency,
        Some(_) => 1,
    };
    let lanes = n.lanes.max(1);
    // Each lane's request is its own.
    let mut each = 0;
    let lines = if !access.pointer.ty().is_vector() {
        bytes.div_ceil(n.line)
    } else {
        let step = lane_step(access.pointer, code.layout);
        let step = step.map(|step| u32::try_from(step.unsigned_abs()).unwrap_or(u32::MAX));
        let counted = code.is_counted(instruction);
        let whole_lane = form.bits.div_ceil(8) * form.registers;
        match step {
            Some(step) if step < n.line => (lanes * step).max(whole_lane).div_ceil(n.line),
            _ if counted => {
                each = whole_lane.div_ceil(n.line).max(1);
                0
            }
            _ => lanes * whole_lane.div_ceil(n.line).max(1),
        }
    };
    let issued = bytes.div_ceil(n.lane_width * lanes).max(1);
    let mut chain =
        vec![operation(Unit::VectorMemory, 1, 0, MemoryLevel::Outside); issued as usize];
    let busy = if lines == 0 { 1 } else { n.port(lines) };
    chain.push(operation(Unit::Port, busy, latency, MemoryLevel::Outside));
    Work {
        chain,
        times: 1,
        traffic: u64::from(lines * n.line) * WHOLE,
        traffic_per_lane: each * n.line,
        outside_per_lane: if each == 0 { 0 } else { n.port(each) },
        ..Work::default()
    }
}

/// Local memory, and lanes' private memory: banks of AM.
fn lanes_in_am(code: &Code<'_>, access: &Access, form: Form, bytes: u32) -> Work {
    let n = code.params;
    let latency = match access.stored {
        None => n.vector_load,
        Some(_) => n.vector_store,
    };
    let lane_bytes = bytes.div_ceil(n.lanes.max(1));
    let times = lane_bytes.div_ceil(n.lane_width).max(1);
    let busy = if access.pointer.ty().is_vector() {
        match lane_step(access.pointer, code.layout) {
            Some(step) => conflicts(code, step, form.bits.div_ceil(8)),
            None => n.am_gather,
        }
    } else {
        1
    };
    Work {
        chain: vec![operation(
            Unit::VectorMemory,
            busy,
            latency + busy - 1,
            MemoryLevel::Scratchpad,
        )],
        times,
        scratchpad_bytes: bytes,
        ..Work::default()
    }
}

/// Local memory in SM, for lanes: scalars that pass through the control core one access after the
/// other, and through the registers that it shares with the lanes.
fn lanes_in_sm(code: &Code<'_>, access: &Access, bytes: u32) -> Work {
    let n = code.params;
    let mut work = in_sm(code, access.stored.is_some(), bytes);
    let crossing = match access.stored {
        None => operation(Unit::ScalarMultiply, 1, n.broadcast, MemoryLevel::Registers),
        Some(_) => operation(Unit::VectorInteger, 1, n.to_scalar, MemoryLevel::Registers),
    };
    work.chain
        .insert(usize::from(access.stored.is_none()), crossing);
    work
}

/// Scalars in SM.
fn in_sm(code: &Code<'_>, stores: bool, bytes: u32) -> Work {
    let n = code.params;
    let latency = if stores {
        n.scalar_store
    } else {
        n.scalar_load
    };
    Work {
        chain: vec![operation(
            Unit::ScalarMemory,
            1,
            latency,
            MemoryLevel::Scratchpad,
        )],
        times: bytes.div_ceil(n.scalar_width).max(1),
        scratchpad_bytes: bytes,
        ..Work::default()
    }
}

/// Cycles of an access of AM whose lanes are `step` bytes apart: the most words that are wanted
/// of one bank.
fn conflicts(code: &Code<'_>, step: i64, element: u32) -> u32 {
    let n = code.params;
    let (width, banks) = (i64::from(n.bank_width), i64::from(n.am_banks));
    let mut words: Vec<i64> = (0..i64::from(n.lanes))
        .map(|lane| lane.wrapping_mul(step).div_euclid(width))
        .collect();
    words.sort_unstable();
    words.dedup();
    let mut wanted = vec![0u32; n.am_banks as usize];
    for word in words {
        wanted[word.rem_euclid(banks) as usize] += 1;
    }
    let most = wanted.into_iter().max().unwrap_or(1);
    most.max(1) * element.div_ceil(n.bank_width).max(1)
}

/// A scalar of AM: a vector load of the same place in all lanes, of which one goes to a scalar
/// register unless all lanes want it; stored, it is first given to a lane.
fn scalar_in_am(code: &Code<'_>, instruction: Value, access: &Access, bytes: u32) -> Work {
    let n = code.params;
    let mut chain = Vec::new();
    if access.stored.is_some() {
        chain.push(operation(
            Unit::ScalarMultiply,
            1,
            n.broadcast,
            MemoryLevel::Registers,
        ));
        chain.push(operation(
            Unit::VectorMemory,
            1,
            n.vector_store,
            MemoryLevel::Scratchpad,
        ));
    } else {
        chain.push(operation(
            Unit::VectorMemory,
            1,
            n.vector_load,
            MemoryLevel::Scratchpad,
        ));
        if !is_only_given_to_all(code, instruction) {
            chain.push(operation(
                Unit::VectorInteger,
                1,
                n.to_scalar,
                MemoryLevel::Registers,
            ));
        }
    }
    Work {
        chain,
        times: bytes.div_ceil(n.lane_width).max(1),
        scratchpad_bytes: bytes,
        ..Work::default()
    }
}

/// Whether a scalar goes nowhere but into all lanes.
fn is_only_given_to_all(code: &Code<'_>, value: Value) -> bool {
    value.users().iter().all(|user| {
        let inserted = user.is(Opcode::LLVMInsertElement) && user.operand(1) == value;
        inserted
            && code.is_of_lanes(*user)
            && user
                .users()
                .iter()
                .all(|splat| splat.is(Opcode::LLVMShuffleVector))
    })
}

/// A scalar in DDR: through the data cache of the control core, which stands still for a line
/// that it does not have.
fn scalar_outside(code: &Code<'_>, instruction: Value, access: &Access, bytes: u32) -> Work {
    let n = code.params;
    // What could be part of a gather.
    if is_of_one_lane(code, access.pointer, 6) {
        let latency = match access.stored {
            None => n.ddr_latency,
            Some(_) => 1,
        };
        let lines = bytes.div_ceil(n.line).max(1);
        return Work {
            chain: vec![
                operation(Unit::ScalarMemory, 1, 0, MemoryLevel::Outside),
                operation(Unit::Port, n.port(lines), latency, MemoryLevel::Outside),
            ],
            times: 1,
            traffic: u64::from(lines * n.line) * WHOLE,
            ..Work::default()
        };
    }
    let line = u64::from(n.line);
    let block = code.block_of(instruction);
    let lines = match code.iteration_step(access.pointer, block) {
        Some(IterationStep::Constant(step)) => {
            (step.unsigned_abs().min(line) * WHOLE / line) * u64::from(bytes.div_ceil(n.line))
        }
        Some(IterationStep::Invariant | IterationStep::Unknown) => WHOLE,
        // The same for all groups, or another place for each.
        None => match address::based(access.pointer, code.layout).0 {
            base if address::argument(base, code.layout).is_some() => 0,
            base if base.is_global_variable() => 0,
            _ => WHOLE,
        },
    };
    let latency = match access.stored {
        None => n.cache_hit,
        Some(_) => n.scalar_store,
    };
    let stall = match access.stored {
        None => lines * u64::from(n.ddr_latency.saturating_sub(n.cache_hit)),
        // Written behind.
        Some(_) => 0,
    };
    Work {
        chain: vec![operation(
            Unit::ScalarMemory,
            1,
            latency,
            MemoryLevel::Outside,
        )],
        times: bytes.div_ceil(n.scalar_width).max(1),
        traffic: lines * line,
        stall,
        ..Work::default()
    }
}

/// The line that a scalar access of memory outside touches, if its address without constants is
/// the beginning of one.
pub fn scalar_line(code: &Code<'_>, instruction: Value) -> Option<address::Sum> {
    let access = Access::of(instruction)?;
    let data = access.stored.unwrap_or(instruction);
    if code.is_of_lanes(data) || space(access.pointer) != Space::Outside {
        return None;
    }
    let mut sum = address::sum(access.pointer, code.layout);
    let line = i64::from(code.params.line);
    sum.offset -= sum.offset.rem_euclid(line);
    Some(sum)
}

/// Whether an address is made from one lane's value.
fn is_of_one_lane(code: &Code<'_>, address: Value, depth: u32) -> bool {
    if address.is(Opcode::LLVMExtractElement) {
        return code.is_of_lanes(address.operand(0));
    }
    let passes = [
        Opcode::LLVMGetElementPtr,
        Opcode::LLVMSExt,
        Opcode::LLVMZExt,
        Opcode::LLVMAdd,
        Opcode::LLVMShl,
        Opcode::LLVMMul,
        Opcode::LLVMAddrSpaceCast,
        Opcode::LLVMBitCast,
    ];
    depth > 0
        && passes.iter().any(|opcode| address.is(*opcode))
        && address
            .operands()
            .into_iter()
            .any(|operand| is_of_one_lane(code, operand, depth - 1))
}

/// The scalar stack, the group's context and the kernel's arguments: SM, or DDR through the data
/// cache.
pub fn on_stack(code: &Code<'_>, stores: bool, bytes: u32) -> Work {
    let n = code.params;
    let times = bytes.div_ceil(n.lane_width).max(1);
    let latency = if stores {
        n.scalar_store
    } else {
        n.scalar_load
    };
    if code.stack_in_sm {
        return Work {
            chain: vec![operation(
                Unit::ScalarMemory,
                1,
                latency,
                MemoryLevel::Scratchpad,
            )],
            times,
            scratchpad_bytes: bytes,
            ..Work::default()
        };
    }
    let lines = u64::from(n.stack_misses) * WHOLE / 1000 * u64::from(times);
    Work {
        chain: vec![operation(
            Unit::ScalarMemory,
            1,
            if stores { n.scalar_store } else { n.cache_hit },
            MemoryLevel::Outside,
        )],
        times,
        traffic: lines * u64::from(n.line),
        stall: lines * u64::from(n.ddr_latency.saturating_sub(n.cache_hit)),
        ..Work::default()
    }
}

/// Registers that are stored and loaded again since there are too few.
pub fn spill(code: &Code<'_>, vector: bool, registers: u32) -> Work {
    let n = code.params;
    if !vector {
        let mut work = on_stack(code, true, 8);
        let again = on_stack(code, false, 8);
        work.chain.extend(again.chain);
        work.times = registers;
        work.scratchpad_bytes = (work.scratchpad_bytes + again.scratchpad_bytes) * registers;
        work.traffic = (work.traffic + again.traffic) * u64::from(registers);
        work.stall = (work.stall + again.stall) * u64::from(registers);
        return work;
    }
    let store = operation(
        Unit::VectorMemory,
        1,
        n.vector_store,
        MemoryLevel::Scratchpad,
    );
    let load = operation(
        Unit::VectorMemory,
        1,
        n.vector_load,
        MemoryLevel::Scratchpad,
    );
    Work {
        chain: vec![store, load],
        times: registers,
        scratchpad_bytes: 2 * registers * n.lanes * 8,
        ..Work::default()
    }
}

/// Cycles for which the load and store units are taken by it.
pub fn spill_cycles(code: &Code<'_>, vector: bool, registers: u32) -> u32 {
    let unit = if vector {
        Unit::VectorMemory
    } else {
        Unit::ScalarMemory
    };
    (2 * registers).div_ceil(code.params.slots[unit as usize])
}

/// An atomic operation: on global memory a load, an operation and a store of a line, whose cycles
/// are those for which the lock is held; on other memory the same without a lock.
pub fn atomic(code: &Code<'_>, instruction: Value) -> Work {
    let n = code.params;
    let pointer = instruction.operand(0);
    let change = operation(
        Unit::ScalarInteger,
        1,
        n.scalar_integer,
        MemoryLevel::Registers,
    );
    if space(pointer) == Space::Outside {
        let access = operation(Unit::ScalarMemory, 1, 1, MemoryLevel::Registers);
        return Work {
            chain: vec![access, change, access],
            times: 1,
            traffic: 2 * u64::from(n.line) * WHOLE,
            ..Work::default()
        };
    }
    Work {
        chain: vec![
            operation(
                Unit::VectorMemory,
                1,
                n.vector_load,
                MemoryLevel::Scratchpad,
            ),
            operation(Unit::VectorInteger, 1, n.to_scalar, MemoryLevel::Registers),
            change,
            operation(Unit::ScalarMultiply, 1, n.broadcast, MemoryLevel::Registers),
            operation(
                Unit::VectorMemory,
                1,
                n.vector_store,
                MemoryLevel::Scratchpad,
            ),
        ],
        times: 1,
        scratchpad_bytes: 16,
        ..Work::default()
    }
}

/// `memcpy` and the like: 16 bytes at a time; as many of them as is known, or one line.
pub fn block(code: &Code<'_>, call: Value) -> Work {
    let n = code.params;
    let length = call.operand(2).as_integer().unwrap_or(u64::from(n.line));
    let times = (length.min(1 << 16) as u32).div_ceil(n.lane_width).max(1);
    let mut work = Work {
        times,
        ..Work::default()
    };
    let is_copy = call.operand(1).ty().is_pointer();
    for (place, stores) in [(1, false), (0, true)] {
        if !stores && !is_copy {
            continue;
        }
        let bytes = length.min(1 << 16) as u32;
        if space(call.operand(place)) == Space::Outside {
            let lines = bytes.div_ceil(n.line);
            let latency = if stores { 1 } else { n.ddr_latency };
            work.chain.push(operation(
                Unit::Port,
                n.port(lines).div_ceil(times),
                latency,
                MemoryLevel::Outside,
            ));
            work.traffic += u64::from(lines * n.line) * WHOLE;
        } else {
            let latency = if stores {
                n.scalar_store
            } else {
                n.scalar_load
            };
            work.chain.push(operation(
                Unit::ScalarMemory,
                1,
                latency,
                MemoryLevel::Scratchpad,
            ));
            work.scratchpad_bytes += bytes;
        }
    }
    work
}

/// From lane to lane: stored to AM and loaded again.
pub fn through_am(code: &Code<'_>, form: Form) -> Work {
    let n = code.params;
    Work {
        chain: vec![
            operation(
                Unit::VectorMemory,
                1,
                n.vector_store,
                MemoryLevel::Scratchpad,
            ),
            operation(
                Unit::VectorMemory,
                1,
                n.vector_load,
                MemoryLevel::Scratchpad,
            ),
        ],
        times: form.registers.max(1),
        scratchpad_bytes: 2 * form.registers * n.lanes * form.bits.div_ceil(8),
        ..Work::default()
    }
}

/// Whether two accesses may touch the same memory in one round of a loop.
pub fn may_overlap(a: &Place, b: &Place) -> bool {
    match a.ahead(b) {
        Some(ahead) => ahead < b.bytes && -ahead < a.bytes,
        None => may_meet(a, b),
    }
}

/// Whether two accesses may touch the same memory ever. Buffers that are different arguments are
/// taken to be different buffers.
pub fn may_meet(a: &Place, b: &Place) -> bool {
    if a.space != b.space {
        return false;
    }
    match (a.root, b.root) {
        (Root::Other, _) | (_, Root::Other) => true,
        (a, b) => a == b,
    }
}

/// Where an access goes.
#[derive(Clone, Debug)]
pub struct Place {
    space: Space,
    root: Root,
    sum: address::Sum,
    /// Its address.
    pub pointer: Value,
    pub bytes: i64,
    /// Each lane has an address of its own.
    pub gathered: bool,
}

impl Place {
    pub fn of(code: &Code<'_>, pointer: Value, bytes: u64) -> Self {
        Self {
            space: space(pointer),
            root: root(pointer, code.layout),
            sum: address::sum(pointer, code.layout),
            pointer,
            bytes: i64::try_from(bytes).unwrap_or(i64::MAX),
            gathered: pointer.ty().is_vector(),
        }
    }

    /// Bytes from where another begins to where this does, if that is plain.
    pub fn ahead(&self, other: &Self) -> Option<i64> {
        let plain = !self.gathered
            && !other.gathered
            && self.space == other.space
            && self.sum.base == other.sum.base
            && self.sum.terms == other.sum.terms;
        plain.then(|| self.sum.offset.saturating_sub(other.sum.offset))
    }
}
