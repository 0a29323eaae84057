//! Checks of barriers (`Checks::BARRIERS`): the arguments of asynchronous copies and of waits for
//! them are compared between the work-items of a group. Which barrier a work-item has arrived at is
//! known in any code (`work_group::emit`); here are the places of the barriers in the source.

use super::calls;
use super::places::Places;
use crate::analysis::uniformity::Uniformity;
use crate::intrinsics::{BARRIER, COMPARE, DMA_TRANSFER, WAIT_GROUP_EVENTS, is_collective};
use crate::ir::{self, Builder, ModuleRef, Opcode, Type, Value};
use crate::kernel::checks::Checks;
use crate::kernel::interface::KernelInterface;
use host_exec::barrier::checker::{BarrierSite, BarrierTable, COMPARED_VALUES};
use llvm_sys::LLVMIntPredicate::LLVMIntEQ;

/// Operands of `COMPARE` before the values.
const OPERANDS_BEFORE_VALUES: usize = 5;

/// What is compared of a transfer, by operand.
const TRANSFER_VALUES: [&str; COMPARED_VALUES] = [
    "destination",
    "destination stride",
    "source",
    "source stride",
    "row size",
    "number of elements",
    "event",
];

/// The values of a copy without strides: its size is that of the only row.
const COPY_SIZE: &str = "size";

/// Operand of a transfer: the event passed to it.
const EVENT_OPERAND: u32 = 6;

/// Has the kernel compare the arguments of copies and waits.
pub fn insert(module: ModuleRef, interface: &KernelInterface, checks: Checks) -> BarrierTable {
    let kernel = ir::function(module, &interface.name).expect("the module holds the kernel");
    let mut pass = Comparisons {
        b: Builder::new(kernel.ty().context()),
        module,
        table: BarrierTable::default(),
        places: Places::default(),
    };
    // Events of code that checks transfers are those of the executor, which only one work-item of a
    // group gets.
    let has_own_events = checks.intersects(Checks::DMA | Checks::TRANSFERS);
    for instruction in kernel.instructions() {
        if instruction.calls(DMA_TRANSFER) {
            pass.transfer(instruction, has_own_events);
        } else if instruction.calls(WAIT_GROUP_EVENTS) {
            pass.wait(instruction, has_own_events);
        }
    }
    pass.table
}

struct Comparisons {
    b: Builder,
    module: ModuleRef,
    table: BarrierTable,
    places: Places,
}

impl Comparisons {
    fn transfer(&mut self, call: Value, has_own_events: bool) {
        let b = &self.b;
        b.of_the_line_of(call);
        b.before(call);
        let mut values: Vec<Value> = (0..EVENT_OPERAND).map(|at| call.operand(at)).collect();
        let is_one_row = call.operand(5).as_integer() == Some(1);
        let mut names = TRANSFER_VALUES.map(str::to_owned).to_vec();
        if is_one_row {
            // The strides are the size, too.
            values[1] = values[4];
            values[3] = values[4];
            for name in [1, 3, 4] {
                names[name] = COPY_SIZE.to_owned();
            }
        }
        if !has_own_events {
            // In place of events, which unchecked code does not tell apart: the first transfer.
            let event = call.operand(EVENT_OPERAND);
            let number = b.i64().constant(self.table.compared.len() as u64 + 1);
            let first = b.cast(Opcode::LLVMIntToPtr, number, event.ty());
            let is_new = b.compare(LLVMIntEQ, event, event.ty().zero());
            let identity = b.select(is_new, first, event);
            call.replace_all_uses_with(identity);
            values.push(event);
        }
        self.compare(call, values, names);
    }

    /// The number of events, and the first ones.
    fn wait(&mut self, call: Value, has_own_events: bool) {
        let b = &self.b;
        b.of_the_line_of(call);
        b.before(call);
        let (count, events) = (call.operand(0), call.operand(1));
        let mut values = vec![count];
        let mut names = vec!["number of events".to_owned()];
        if let Some(count) = count.as_integer().filter(|_| !has_own_events) {
            let event = Type::pointer(b.context, 0);
            for number in 0..count.min(COMPARED_VALUES as u64 - 1) {
                let place = b.element(event, events, b.i64().constant(number));
                values.push(b.load(event, place, 8));
                names.push("event".to_owned());
            }
        }
        self.compare(call, values, names);
    }

    /// Compares values before a call.
    fn compare(&mut self, call: Value, values: Vec<Value>, names: Vec<String>) {
        let b = &self.b;
        let zero = b.i64().constant(0);
        let mut values: Vec<Value> = values
            .into_iter()
            .map(|value| match value.ty().is_pointer() {
                true => b.cast(Opcode::LLVMPtrToInt, value, b.i64()),
                false => b.resize(value, b.i64()),
            })
            .collect();
        values.resize(COMPARED_VALUES, zero);
        let number = b.i64().constant(self.table.compared.len() as u64);
        let mut arguments = vec![calls::context(b, self.module), number];
        arguments.extend(calls::local_id(b, self.module));
        arguments.extend(values);
        let void = Type::void(b.context);
        calls::outside(b, self.module, COMPARE, void, &arguments);
        let site = site(&mut self.places, call);
        self.table.compared.push(BarrierSite {
            values: names,
            ..site
        });
    }
}

/// Removes comparisons of values that are the same for all work-items.
pub fn remove_needless(kernel: Value, uniformity: &Uniformity) {
    for call in kernel.instructions() {
        if call.calls(COMPARE) {
            let operands = call.operands();
            let mut values = operands.iter().skip(OPERANDS_BEFORE_VALUES);
            // The last operand is the function.
            if values.all(|value| uniformity.is_uniform(*value)) {
                call.erase();
            }
        }
    }
}

/// The places of a kernel's barriers in the source, in the order of the barriers that
/// `work_group::barrier_split` makes of them.
pub fn sites(kernel: Value) -> Vec<Option<BarrierSite>> {
    let mut places = Places::default();
    let mut sites = Vec::new();
    for instruction in kernel.instructions() {
        if instruction.calls(BARRIER) {
            sites.push(Some(site(&mut places, instruction)));
        } else if is_collective(instruction) {
            sites.extend([Some(site(&mut places, instruction)), None]);
        }
    }
    sites
}

fn site(places: &mut Places, call: Value) -> BarrierSite {
    BarrierSite {
        function: call.source_function().unwrap_or_default(),
        place: places.place(call),
        inlined_at: call.source_calls(),
        values: Vec::new(),
    }
}
