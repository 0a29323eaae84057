//! Records what work-groups load of arguments, for advice: timed code calls the runtime for each load, in
//! groups that record it.

use crate::ir::{self, Builder, DataLayout, Opcode, Type, Value};
use crate::work_group::branches::when;
use device_sim::timing::cost::{LoadShare, LoadedArgument};
use host_exec::work_group::WorkGroupContext;
use llvm_sys::LLVMIntPredicate::LLVMIntNE;
use std::mem::offset_of;

/// Records a load of adjacent bytes: the `FootprintRecorder`, the number of the argument, the address and
/// the number of bytes.
pub const RECORD_LOAD: &str = "__mocl3_record_load";
/// Records a load of several lanes: the `FootprintRecorder`, the number of the argument, the lanes'
/// addresses, a bit for each lane that is active, the number of lanes, and the bytes of each.
pub const RECORD_LANES: &str = "__mocl3_record_lanes";

/// Most lanes, which have a bit of a number each.
const MAX_LANES: u32 = 64;

/// The loads from what an argument points to.
#[derive(Clone, Debug, Default)]
pub struct ArgumentLoads {
    /// Offset in the argument block, bytes.
    pub offset: u64,
    /// The instructions.
    pub loads: Vec<Value>,
    /// Their shares of the blocks' cycles.
    pub shares: Vec<LoadShare>,
}

/// Inserts the calls. Returns the arguments in the order of their numbers; `name` gives the name of the one
/// at an offset in the argument block.
pub fn insert(
    function: Value,
    arguments: Vec<ArgumentLoads>,
    name: impl Fn(u64) -> Option<String>,
) -> Vec<LoadedArgument> {
    let mut named: Vec<(String, ArgumentLoads)> = arguments
        .into_iter()
        .filter_map(|loads| Some((name(loads.offset)?, loads)))
        .collect();
    if named.is_empty() {
        return Vec::new();
    }
    let inserter = Inserter::new(function);
    for (number, (_, loads)) in named.iter().enumerate() {
        for load in &loads.loads {
            inserter.record(*load, number as u64);
        }
    }
    let arguments = named.drain(..).map(|(name, loads)| LoadedArgument {
        name,
        shares: loads.shares,
    });
    arguments.collect()
}

struct Inserter {
    b: Builder,
    function: Value,
    layout: DataLayout,
    /// The group's recorder, or null.
    recorder: Value,
    /// Whether there is one.
    is_recorded: Value,
}

/// The addresses of a load.
enum Addresses {
    /// Adjacent bytes from a pointer on.
    Adjacent(Value),
    /// A vector of pointers, of which a mask names those that are loaded from.
    Lanes(Value, Value),
}

impl Inserter {
    fn new(function: Value) -> Self {
        let b = Builder::new(function.ty().context());
        b.before(function.entry_block().first_after_phis());
        let context = function.parameters()[1];
        let offset = offset_of!(WorkGroupContext, footprints) as u64;
        let pointer = Type::pointer(b.context, 0);
        let recorder = b.load(pointer, b.offset(context, b.i64().constant(offset)), 8);
        let address = b.cast(Opcode::LLVMPtrToInt, recorder, b.i64());
        let is_recorded = b.compare(LLVMIntNE, address, b.i64().constant(0));
        Self {
            b,
            function,
            layout: DataLayout::of_module(function.module()),
            recorder,
            is_recorded,
        }
    }

    /// Records a load from the argument of that number.
    fn record(&self, load: Value, number: u64) {
        let Some(addresses) = addresses(load) else {
            return;
        };
        let b = &self.b;
        let number = b.i32().constant(number);
        match addresses {
            Addresses::Adjacent(pointer) => {
                let bytes = b.i64().constant(self.layout.stored(load.ty()));
                when(b, self.is_recorded, load, "recorded", |_| {
                    let address = b.cast(Opcode::LLVMPtrToInt, pointer, b.i64());
                    self.call(RECORD_LOAD, &[self.recorder, number, address, bytes]);
                });
            }
            Addresses::Lanes(pointers, mask) => self.record_lanes(load, number, pointers, mask),
        }
    }

    fn record_lanes(&self, load: Value, number: Value, pointers: Value, mask: Value) {
        let b = &self.b;
        let (element, lanes) = load.ty().vector_elements();
        if lanes > MAX_LANES {
            return;
        }
        let addresses = b.i64().vector(lanes);
        b.before(self.function.entry_block().first_after_phis());
        let memory = b.alloca(addresses, "addresses");
        when(b, self.is_recorded, load, "recorded", |_| {
            let pointers = if pointers.ty().is_vector() {
                pointers
            } else {
                // A masked load: lanes are adjacent.
                let bytes = self.layout.stored(element);
                let steps: Vec<Value> = (0..u64::from(lanes))
                    .map(|lane| b.i64().constant(lane * bytes))
                    .collect();
                b.offset_each(b.splat(pointers, lanes), Value::constant_vector(&steps))
            };
            let values = b.cast(Opcode::LLVMPtrToInt, pointers, addresses);
            b.store(values, memory, 8);
            let bits = b.bit_cast(mask, Type::integer(b.context, lanes));
            let active = b.resize(bits, b.i64());
            let count = b.i32().constant(lanes.into());
            let bytes = b.i32().constant(self.layout.stored(element));
            let arguments = [self.recorder, number, memory, active, count, bytes];
            self.call(RECORD_LANES, &arguments);
        });
    }

    fn call(&self, name: &str, arguments: &[Value]) {
        let module = self.function.module();
        let function = ir::function(module, name).unwrap_or_else(|| {
            let types: Vec<Type> = arguments.iter().map(|argument| argument.ty()).collect();
            let ty = Type::function(Type::void(self.b.context), &types);
            ir::add_function(module, name, ty)
        });
        self.b.call(function, arguments);
    }
}

/// The addresses that an instruction loads from.
fn addresses(load: Value) -> Option<Addresses> {
    if load.is(Opcode::LLVMLoad) {
        return Some(Addresses::Adjacent(load.operand(0)));
    }
    let name = load.called_function()?.name();
    let kind = name.strip_prefix("llvm.masked.")?;
    match kind.split('.').next()? {
        "load" | "gather" => Some(Addresses::Lanes(load.operand(0), load.operand(1))),
        _ => None,
    }
}
