//! What a compiler with defects (see the crate `defects`) does in place of the right thing,
//! where that is more than leaving something out.

use crate::ir::{self, Builder, Opcode, Value};
use crate::kernel::image_argument::sampler_bits;
use fault_injection::Defect;
use llvm_sys::LLVMIntPredicate;
use llvm_sys::prelude::LLVMModuleRef;

/// What clang calls where a program initialises a sampler.
const SAMPLER: &str = "__translate_sampler_initializer";

/// Of which work-item's private variables the one with this local linear id has across
/// barriers.
pub fn place(b: &Builder, linear: Value, sizes: &[Value]) -> Value {
    let number = |number| b.i64().constant(number);
    let items = b.multiply(b.multiply(sizes[0], sizes[1]), sizes[2]);
    let several = b.compare(LLVMIntPredicate::LLVMIntUGT, items, number(1));
    let before_the_last = b.binary(Opcode::LLVMSub, items, number(2));
    let most = b.select(several, before_the_last, number(0));
    let beyond = b.compare(LLVMIntPredicate::LLVMIntUGT, linear, most);
    b.select(beyond, most, linear)
}

/// Makes a program use other builtins than it wants, or in another way.
pub fn change(module: LLVMModuleRef) {
    if fault_injection::is_active(Defect::NoSaturation) {
        forget(module, &["_sat"]);
    }
    if fault_injection::is_active(Defect::NoRoundingModes) {
        forget(module, &["_rte", "_rtz", "_rtp", "_rtn"]);
    }
    if fault_injection::is_active(Defect::NoImageBorder)
        && let Some(initialiser) = ir::function(module, SAMPLER)
    {
        for call in initialiser.users() {
            clamp_to_edge(call);
        }
    }
}

/// Calls conversions whose names end in one of these as if they did not.
fn forget(module: LLVMModuleRef, endings: &[&str]) {
    for function in ir::functions(module) {
        let name = function.name();
        let Some(other) = endings.iter().find_map(|ending| without(&name, ending)) else {
            continue;
        };
        match ir::function(module, &other) {
            Some(known) => function.replace_all_uses_with(known),
            None => function.set_name(&other),
        }
    }
}

/// The mangled name of the function that lacks a part of this one's name.
fn without(mangled: &str, part: &str) -> Option<String> {
    let rest = mangled.strip_prefix("_Z")?;
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let length: usize = rest[..digits].parse().ok()?;
    let (name, types) = rest[digits..].split_at_checked(length)?;
    let converts = name.starts_with("convert_") || name.starts_with("vstore");
    let shorter = name.replacen(part, "", 1);
    (converts && shorter != name).then(|| format!("_Z{}{shorter}{types}", shorter.len()))
}

fn clamp_to_edge(call: Value) {
    let modes = sampler_bits::ADDRESS_REPEAT | sampler_bits::ADDRESS_MIRRORED_REPEAT;
    let bits = call.operand(0);
    if let Some(value) = bits.as_integer()
        && value & modes == sampler_bits::ADDRESS_CLAMP
    {
        let value = value & !modes | sampler_bits::ADDRESS_CLAMP_TO_EDGE;
        call.set_operand(0, bits.ty().constant(value));
    }
}

#[cfg(test)]
mod tests {
    use super::without;

    #[test]
    fn names_are_those_of_the_other_conversions() {
        let other = |name: &str, part: &str| without(name, part).unwrap_or_default();
        assert_eq!(
            other("_Z17convert_uchar_satDv2_i", "_sat"),
            "_Z13convert_ucharDv2_i"
        );
        assert_eq!(
            other("_Z21convert_uchar_sat_rtef", "_rte"),
            "_Z17convert_uchar_satf"
        );
        assert_eq!(other("_Z7add_satii", "_sat"), "");
        assert_eq!(other("printf", "_sat"), "");
    }
}
