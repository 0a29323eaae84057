//! What assembled code costs in simulated time: each packet counts when it is issued, and separately for each
//! cycle that it waits and each line of memory outside that it has to get, so that cycles are those that the code
//! takes as it is written.

use device_assembly::table::{Action, ScalarAccess, VectorLayout};
use device_assembly::{Instruction, Operand, Program};
use device_sim::machine::{Machine, PerMemory, SharedMemory};
use device_sim::timing::cost::{
    Active, BlockCost, KernelCost, LaneWork, LineShare, SourceFile, SourceLine,
};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// All of a block's cycles, as shares of lines are given.
const WHOLE: u32 = 1 << 16;

/// The counters of a packet.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct PacketCounters {
    /// How often it is issued.
    pub issued: u32,
    /// Cycles that it takes more, if it does.
    pub idle: Option<u32>,
    /// How often its branch is taken, if it has one.
    pub taken: Option<u32>,
    /// Loads of memory outside, if the packet loads as the scalar unit does.
    pub loaded: Option<u32>,
    /// By memory, loaded lines that the data cache did not have: the first of three counters.
    pub missed: Option<u32>,
}

impl PacketCounters {
    /// The counter of lines of a memory.
    pub fn missed(self, memory: SharedMemory) -> Option<u32> {
        self.missed.map(|first| first + memory as u32)
    }

    /// The same counters behind others.
    pub fn after(self, others: u32) -> Self {
        Self {
            issued: self.issued + others,
            idle: self.idle.map(|one| one + others),
            taken: self.taken.map(|one| one + others),
            loaded: self.loaded.map(|one| one + others),
            missed: self.missed.map(|one| one + others),
        }
    }
}

/// A function of a file.
pub struct FunctionPart {
    /// Its name.
    pub name: String,
    /// The size of its code.
    pub code_bytes: u32,
    /// The lanes that it uses, or 0.
    pub lanes: u32,
    /// Functions that it refers to.
    pub callees: Vec<String>,
}

/// The cost of the code of a file.
pub struct ProgramCost {
    /// Its blocks.
    pub cost: KernelCost,
    /// By packet.
    pub counters: Vec<PacketCounters>,
    /// Its functions that other files see.
    pub functions: Vec<FunctionPart>,
}

/// The cost of a file's code on a machine.
pub fn of_program(program: &Program, machine: &Machine) -> ProgramCost {
    let mut cost = KernelCost {
        files: vec![SourceFile {
            name: program.file.clone(),
            text: program.text.clone(),
        }],
        ..KernelCost::default()
    };
    let mut counters = Vec::new();
    for packet in &program.packets {
        let mut issue = BlockCost {
            compute: 1,
            ..BlockCost::default()
        };
        let (mut loads, mut branches) = (false, false);
        for instruction in &packet.instructions {
            add(instruction, machine, &mut issue);
            loads |= matches!(instruction.mnemonic.action, Action::Load(_));
            branches |= matches!(instruction.mnemonic.action, Action::Branch(_));
        }
        match issue.operations() {
            0 => issue.empty_packets = 1,
            _ => issue.packets = 1,
        }
        let line = packet.line();
        let issued = push(&mut cost, issue, line);
        let idle = (packet.cycles() > 1).then(|| {
            let idle = BlockCost {
                compute: 1,
                ..BlockCost::default()
            };
            push(&mut cost, idle, line)
        });
        let taken = branches.then(|| {
            let taken = BlockCost {
                taken: 1,
                ..BlockCost::default()
            };
            push(&mut cost, taken, line)
        });
        let loaded = loads.then(|| {
            let loaded = BlockCost {
                cached: 1,
                ..BlockCost::default()
            };
            push(&mut cost, loaded, line)
        });
        let missed = loads.then(|| {
            let counters = SharedMemory::ALL.map(|memory| {
                let block = line_of_memory(machine, memory);
                push(&mut cost, block, line)
            });
            counters[0]
        });
        counters.push(PacketCounters {
            issued,
            idle,
            taken,
            loaded,
            missed,
        });
    }
    cost.counters = cost.blocks.len() as u32;
    ProgramCost {
        cost,
        counters,
        functions: functions(program, machine),
    }
}

/// Adds a block of a line; its number.
fn push(cost: &mut KernelCost, block: BlockCost, line: u32) -> u32 {
    let number = cost.blocks.len() as u32;
    cost.blocks.push(block);
    cost.lines.push(LineShare {
        block: number,
        line: SourceLine { file: 0, line },
        compute: WHOLE,
        scratchpad: WHOLE,
        outside: WHOLE,
        barrier: WHOLE,
    });
    number
}

/// A line that is loaded from a memory outside: the array stalls. Without a data cache each access gets one.
fn line_of_memory(machine: &Machine, memory: SharedMemory) -> BlockCost {
    let memories = &machine.memory;
    let hit = match memories.l1d.size.value {
        0 => 0,
        _ => memories.l1d.latency.value,
    };
    let latency = memories.shared(memory).latency.value.saturating_sub(hit);
    let mut traffic = PerMemory::default();
    traffic[memory as usize] = number(memories.l1d.line.value);
    BlockCost {
        outside: number(latency),
        traffic,
        ..BlockCost::default()
    }
}

fn number(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// Adds what an instruction does to a block, as if its predicate held in all lanes.
fn add(instruction: &Instruction, machine: &Machine, block: &mut BlockCost) {
    let mnemonic = instruction.mnemonic;
    if let Action::Control(_) = mnemonic.action {
        return;
    }
    block.issued[instruction.unit.kind()] += 1;
    let (flops, is_double) = mnemonic.flops;
    let flops = u32::from(flops);
    if !mnemonic.is_vector() {
        block.scalar_flops += flops;
        if let Action::Load(access) | Action::Store(access) = mnemonic.action {
            block.scratchpad_bytes += scalar_bytes(access);
        }
        return;
    }
    if let Action::VectorLoad(layout) | Action::VectorStore(layout) = mnemonic.action {
        block.scratchpad_bytes += vector_bytes(layout);
    }
    if block.lanes.is_empty() {
        let lanes = number(machine.array.lanes.value);
        block.lanes.push(LaneWork::new(Active::Always(lanes)));
    }
    for work in &mut block.lanes {
        work.operations += 1;
        match is_double {
            true => work.double_flops += flops,
            false => work.single_flops += flops,
        }
    }
}

fn scalar_bytes(access: ScalarAccess) -> u32 {
    access.scale() as u32
}

/// Bytes of 16 lanes.
fn vector_bytes(layout: VectorLayout) -> u32 {
    match layout {
        VectorLayout::Half { .. } => 64,
        VectorLayout::Word => 128,
        _ => 256,
    }
}

/// The functions, each up to the next one.
fn functions(program: &Program, machine: &Machine) -> Vec<FunctionPart> {
    let global: Vec<_> = program.labels.iter().filter(|one| one.is_global).collect();
    let starts = global.iter().map(|label| label.packet);
    let end = program.packets.len() as u32;
    let ends: Vec<u32> = starts.skip(1).chain([end]).collect();
    let parts = global.iter().zip(ends);
    parts
        .map(|(label, end)| part(program, machine, &label.name, label.packet..end))
        .collect()
}

fn part(program: &Program, machine: &Machine, name: &str, packets: Range<u32>) -> FunctionPart {
    let part = program
        .packets
        .get(packets.start as usize..packets.end as usize);
    let instructions = part.unwrap_or_default().iter();
    let instructions: Vec<&Instruction> = instructions.flat_map(|one| &one.instructions).collect();
    let bytes = machine.array.code.operation.value * instructions.len() as u64;
    let has_lanes = instructions.iter().any(|one| one.mnemonic.is_vector());
    let operands = instructions.iter().flat_map(|one| &one.operands);
    let callees = operands.filter_map(|operand| match *operand {
        Operand::Symbol(number, _) => program.symbols.get(number as usize).cloned(),
        Operand::Code(packet) => {
            let mut before = program.labels.iter().filter(|one| one.packet <= packet);
            let function = before.rfind(|one| one.is_global);
            function.map(|label| label.name.clone())
        }
        _ => None,
    });
    let mut callees: Vec<String> = callees.filter(|callee| callee != name).collect();
    callees.sort_unstable();
    callees.dedup();
    FunctionPart {
        name: name.to_owned(),
        code_bytes: number(bytes),
        lanes: match has_lanes {
            true => number(machine.array.lanes.value),
            false => 0,
        },
        callees,
    }
}
