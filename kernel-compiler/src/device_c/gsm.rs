//! GSM, which a cluster's threads share. On the machine it begins at address 0, with the variables in the order of the
//! image. Here it is a section of the loaded code of the same size, so that addresses that programs write as numbers
//! lead to it, and to the variables at these addresses.

use crate::ir::{self, DataLayout, Module, ModuleRef, Type, Value};
use llvm_sys::LLVMLinkage;
use serde::{Deserialize, Serialize};

/// The section of variables in GSM, of which files keep no contents.
pub(super) const SECTION: &str = ".gsm";

/// Where code generation places them, one after the other. The name is that of a section without contents.
const PLACE: &str = ".bss.gsm";

/// What follows the variables.
const REST: &str = "__ht_gsm_rest";

/// Bytes of GSM.
pub const GSM_BYTES: u64 = 6 << 20;

/// A variable in GSM.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GsmVariable {
    /// By which it is found in the code.
    pub symbol: String,
    /// Its size.
    pub bytes: u64,
}

/// Places the variables, and the rest of GSM; all in the order of their addresses.
pub fn place(module: &Module<'_>) -> Vec<GsmVariable> {
    let layout = DataLayout::of_module(module.handle());
    let variables = ir::globals(module.handle()).into_iter();
    let variables = variables.filter(|variable| variable.section() == SECTION);
    let mut variables: Vec<GsmVariable> = (0u32..)
        .zip(variables)
        .map(|(number, variable)| {
            variable.set_section(PLACE);
            variable.set_initializer(variable.value_type().zero());
            if variable.is_local() {
                variable.set_name(&format!("__ht_gsm.{number}"));
                variable.set_linkage(LLVMLinkage::LLVMExternalLinkage);
            }
            GsmVariable {
                symbol: variable.name(),
                bytes: layout.size(variable.value_type()),
            }
        })
        .collect();
    let taken: u64 = variables.iter().map(|variable| variable.bytes).sum();
    variables.push(add_rest(module.handle(), GSM_BYTES.saturating_sub(taken)));
    variables
}

/// Where GSM begins.
pub fn start(module: ModuleRef, variables: &[GsmVariable]) -> Option<Value> {
    let first = &variables.first()?.symbol;
    let mut globals = ir::globals(module).into_iter();
    globals.find(|variable| variable.name() == *first)
}

fn add_rest(module: ModuleRef, bytes: u64) -> GsmVariable {
    let ty = Type::integer(ir::context(module), 8).array(bytes);
    let rest = ir::add_variable(module, REST, ty);
    rest.set_initializer(ty.zero());
    rest.set_section(PLACE);
    rest.set_alignment(8);
    GsmVariable {
        symbol: REST.into(),
        bytes,
    }
}
