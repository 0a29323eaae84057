//! What has to be done to a function before its loops can be vectorised.

use crate::ir::{ModuleRef, Value};
use crate::size_limits::{self, InlinedLengths};
use std::cell::RefCell;
use std::collections::HashSet;

/// Most instructions that inlining a function at all its calls may add.
const MAX_INLINED_INSTRUCTIONS: u64 = 3500;

/// LLVM passes that give a work-group function the form that `vectorize` needs: values instead of
/// stack slots, branches instead of switches, and loops in canonical form.
pub const PREPARE: &str = "function(sroa<modify-cfg>,early-cse<memssa>,\
    instcombine<no-verify-fixpoint>,simplifycfg,lower-switch,fix-irreducible,unify-loop-exits,\
    loop-simplify,lcssa)";

/// LLVM passes that bring vectorised code into canonical form again for `unroll_and_jam`.
pub const PREPARE_UNROLL_AND_JAM: &str = "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,\
    instcombine<no-verify-fixpoint>,loop-simplify,loop-mssa(licm),simplifycfg,loop-simplify)";

/// Marks functions for inlining: a call would be scalarised. The length of a function counts the
/// callees inlined into it.
pub fn inline_calls(module: ModuleRef) {
    let inlined = RefCell::new(HashSet::new());
    let is_inlined = |function: Value| inlined.borrow().contains(&function);
    let mut lengths = InlinedLengths::new(&is_inlined);
    for function in size_limits::callees_first(module) {
        let calls = function.users().len() as u64;
        let length = lengths.length(function);
        if calls > 0 && length.saturating_mul(calls) <= MAX_INLINED_INSTRUCTIONS {
            function.add_attribute("alwaysinline");
            inlined.borrow_mut().insert(function);
        }
    }
}
