//! The parameters of the machine description that the cost model uses.

use super::operation::Unit;
use device_sim::machine::CodeStackLayout;
use device_sim::machine::{Machine, PerMemory, Quantity, Scratchpad, SharedMemory};

/// Parameters of a machine. Latencies are in cycles, sizes in bytes.
#[derive(Clone, Debug)]
pub struct MachineParams {
    pub lanes: u32,
    /// By unit: operations issued per cycle.
    pub slots: [u32; Unit::COUNT],
    pub scalar_registers: u32,
    pub vector_registers: u32,
    pub vector_multiply_add: u32,
    pub vector_float: u32,
    pub vector_integer: u32,
    pub vector_convert: u32,
    pub scalar_multiply_add: u32,
    pub scalar_float: u32,
    pub scalar_integer: u32,
    pub integer_multiply: u32,
    pub broadcast: u32,
    pub to_scalar: u32,
    pub branch: u32,
    pub vector_load: u32,
    pub vector_store: u32,
    pub scalar_load: u32,
    pub scalar_store: u32,
    pub barrier: u32,
    pub seed: u32,
    /// Newton-Raphson iterations in half, single and double precision.
    pub newton_steps: [u32; 3],
    pub integer_division: u32,
    /// Bits of a lane's operands.
    pub operand_width: u32,
    /// Bytes per lane in one access of AM.
    pub lane_width: u32,
    pub am_banks: u32,
    pub bank_width: u32,
    pub am_gather: u32,
    /// Bytes of a scalar access.
    pub scalar_width: u32,
    /// Whether local memory is in SM, not in AM.
    pub local_in_sm: bool,
    /// Bytes of one request to the memories outside.
    pub line: u32,
    pub outstanding: u32,
    pub port_rate: u32,
    /// Cycles from a request to a memory outside the array to its answer.
    pub latencies: PerMemory<u32>,
    pub has_data_cache: bool,
    pub cache_hit: u32,
    pub stack_misses: u32,
    /// Bytes of SM that the stack may take.
    pub stack_in_sm: u64,
    pub instruction_cache: u32,
    pub instruction_line: u32,
    pub instruction_lines: u32,
    /// The memory that code is fetched from, and its latency.
    pub code_memory: SharedMemory,
    pub code_latency: u32,
    pub operation_bytes: u32,
    pub call: u32,
}

impl MachineParams {
    /// The parameters of a machine; values beyond 32 bits are clamped.
    pub fn new(machine: &Machine, layout: &CodeStackLayout) -> Self {
        let number = |quantity: &Quantity| u32::try_from(quantity.value).unwrap_or(u32::MAX);
        // None would never finish.
        let at_least_one = |quantity: &Quantity| number(quantity).max(1);
        let (array, memory) = (&machine.array, &machine.memory);
        let code_memory = SharedMemory::from(layout.code);
        let (slots, latency) = (&array.slots, &array.latency);
        Self {
            lanes: number(&array.lanes),
            slots: [
                at_least_one(&slots.scalar_integer),
                at_least_one(&slots.scalar_multiply),
                at_least_one(&slots.branch),
                at_least_one(&memory.sm.load_store_units),
                at_least_one(&slots.vector_integer),
                at_least_one(&slots.vector_multiply),
                at_least_one(&memory.am.load_store_units),
                1,
            ],
            scalar_registers: at_least_one(&array.registers.scalar),
            vector_registers: at_least_one(&array.registers.vector),
            vector_multiply_add: number(&latency.vector_multiply_add),
            vector_float: number(&latency.vector_float),
            vector_integer: number(&latency.vector_integer),
            vector_convert: number(&latency.vector_convert),
            scalar_multiply_add: number(&latency.scalar_multiply_add),
            scalar_float: number(&latency.scalar_float),
            scalar_integer: number(&latency.scalar_integer),
            integer_multiply: number(&latency.integer_multiply),
            broadcast: number(&latency.broadcast),
            to_scalar: number(&latency.to_scalar),
            branch: number(&latency.branch),
            vector_load: number(&memory.am.load_latency),
            vector_store: number(&memory.am.store_latency),
            scalar_load: number(&memory.sm.load_latency),
            scalar_store: number(&memory.sm.store_latency),
            barrier: number(&latency.barrier),
            seed: number(&array.division.seed),
            newton_steps: [
                number(&array.division.half_steps),
                number(&array.division.single_steps),
                number(&array.division.double_steps),
            ],
            integer_division: at_least_one(&array.division.integer),
            operand_width: at_least_one(&array.lane_width),
            lane_width: at_least_one(&memory.am.access),
            am_banks: at_least_one(&memory.am.banks),
            bank_width: at_least_one(&memory.am.bank_width),
            am_gather: at_least_one(&array.access.gather),
            scalar_width: at_least_one(&memory.sm.access),
            local_in_sm: memory.local_memory_in == Scratchpad::Sm,
            line: at_least_one(&memory.port.line),
            outstanding: at_least_one(&memory.port.outstanding),
            port_rate: at_least_one(&memory.port.rate),
            latencies: SharedMemory::ALL.map(|one| number(&memory.shared(one).latency)),
            has_data_cache: memory.l1d.size.value > 0,
            cache_hit: number(&memory.l1d.latency),
            stack_misses: number(&array.access.stack_misses),
            stack_in_sm: layout.stack_in_sm(&machine.memory),
            instruction_cache: number(&memory.l1p.size),
            instruction_line: at_least_one(&memory.l1p.line),
            instruction_lines: at_least_one(&memory.l1p.outstanding),
            code_memory,
            code_latency: number(&memory.shared(code_memory).latency),
            operation_bytes: number(&array.code.operation),
            call: at_least_one(&array.code.call),
        }
    }

    /// Latency of a scalar access of SM, in cycles.
    pub fn sm_latency(&self, is_store: bool) -> u32 {
        if is_store {
            self.scalar_store
        } else {
            self.scalar_load
        }
    }

    /// Cycles from a request to a memory outside the array to its answer.
    pub fn latency(&self, memory: SharedMemory) -> u32 {
        self.latencies[memory as usize]
    }

    /// Cycles for which requests of `lines` lines of a memory occupy the array's port: bounded by the
    /// number of outstanding requests, and by the port's bytes per cycle.
    pub fn port(&self, memory: SharedMemory, lines: u32) -> u32 {
        let latency_bound = lines
            .saturating_mul(self.latency(memory))
            .div_ceil(self.outstanding);
        let rate_bound = lines.saturating_mul(self.line).div_ceil(self.port_rate);
        latency_bound.max(rate_bound).max(1)
    }

    /// Cycles without issue while `lines` lines of code are fetched.
    pub fn fetch(&self, lines: u32) -> u32 {
        lines
            .saturating_mul(self.code_latency)
            .div_ceil(self.instruction_lines)
    }
}
