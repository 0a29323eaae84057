//! The sine and the cosine of one angle, as rotations, transforms and waves compute them: one call of
//! `sincos`, which reduces the angle once, instead of two calls. Those of double reduce alike, so that
//! LLVM merges them anyway.

use crate::ir::{self, Builder, ModuleRef, Value};
use std::collections::HashMap;

/// The functions of one type.
struct Family {
    sine: &'static str,
    cosine: &'static str,
    both: &'static str,
}

macro_rules! family {
    ($one:literal, $pointer:literal) => {
        Family {
            sine: concat!("_Z3sin", $one),
            cosine: concat!("_Z3cos", $one),
            both: concat!("_Z6sincos", $one, "PU9CLprivate", $pointer),
        }
    };
}

const FAMILIES: [Family; 6] = [
    family!("f", "f"),
    family!("Dv2_f", "S_"),
    family!("Dv3_f", "S_"),
    family!("Dv4_f", "S_"),
    family!("Dv8_f", "S_"),
    family!("Dv16_f", "S_"),
];

/// Whether a program calls both functions of a type.
pub fn may_apply(module: ModuleRef) -> bool {
    families_called(module).next().is_some()
}

fn families_called(module: ModuleRef) -> impl Iterator<Item = (&'static Family, Value, Value)> {
    FAMILIES.iter().filter_map(move |family| {
        // A program may define functions of these names itself.
        let builtin = |name| ir::function(module, name).filter(|found| found.is_declaration());
        Some((family, builtin(family.sine)?, builtin(family.cosine)?))
    })
}

/// Merges the calls with the same argument in each block. Has to run while the functions are called
/// by name.
pub fn merge(module: ModuleRef) {
    let families: Vec<_> = families_called(module).collect();
    for (family, sine, cosine) in families {
        for pair in pairs(sine, cosine) {
            pair.merge(module, family.both);
        }
    }
}

/// Calls in one block with one argument, in their order.
#[derive(Default)]
struct Calls {
    sines: Vec<Value>,
    cosines: Vec<Value>,
    first: Option<Value>,
}

/// The calls that can be merged.
fn pairs(sine: Value, cosine: Value) -> Vec<Calls> {
    let calls_of = |function: Value| {
        let users = function.users().into_iter();
        users.filter(move |user| user.called_function() == Some(function))
    };
    let mut blocks: Vec<ir::Block> = calls_of(sine).map(Value::block).collect();
    blocks.dedup();
    let mut found = Vec::new();
    for (number, block) in blocks.iter().enumerate() {
        if blocks[..number].contains(block) {
            continue;
        }
        let mut by_argument: HashMap<Value, Calls> = HashMap::new();
        let mut order = Vec::new();
        for call in block.instructions() {
            let function = call.called_function();
            if function != Some(sine) && function != Some(cosine) {
                continue;
            }
            let argument = call.operand(0);
            let calls = by_argument.entry(argument).or_insert_with(|| {
                order.push(argument);
                Calls::default()
            });
            calls.first.get_or_insert(call);
            if function == Some(sine) {
                calls.sines.push(call);
            } else {
                calls.cosines.push(call);
            }
        }
        let calls = order.into_iter().filter_map(|a| by_argument.remove(&a));
        found.extend(calls.filter(|calls| !calls.sines.is_empty() && !calls.cosines.is_empty()));
    }
    found
}

impl Calls {
    fn merge(self, module: ModuleRef, name: &str) {
        let first = self.first.expect("there are calls");
        let (argument, ty) = (first.operand(0), first.ty());
        let b = Builder::new(ty.context());
        let entry = first.block().function().entry_block();
        b.before(entry.first_instruction().expect("it has a terminator"));
        let memory = b.alloca(ty, "cosine");
        b.before(first);
        b.of_the_line_of(first);
        let both = ir::function(module, name).unwrap_or_else(|| {
            ir::add_function(module, name, ir::Type::function(ty, &[ty, memory.ty()]))
        });
        let sine = b.call(both, &[argument, memory]);
        let cosine = b.load(ty, memory, memory.alignment());
        for (calls, value) in [(self.sines, sine), (self.cosines, cosine)] {
            for call in calls {
                call.replace_all_uses_with(value);
                call.erase();
            }
        }
    }
}
