//! The faults that can be injected into the compiler, so that the conformance suite can be
//! checked. Without the feature `present` of `fault-injection` each function here is the identity
//! or a constant.

use crate::ir::{self, Builder, ModuleRef, Opcode, Value};
use crate::kernel::image_argument::sampler_bits;
use fault_injection::{Defect, is_active};
use llvm_sys::LLVMIntPredicate;

/// The function by which clang initialises a sampler.
const SAMPLER_INITIALISER: &str = "__translate_sampler_initializer";

/// Whether kernels are split at barriers (not with `DroppedBarriers`).
pub fn barriers_split_kernels() -> bool {
    !is_active(Defect::DroppedBarriers)
}

/// Whether values loaded before a barrier are loaded again after it (`RepeatedLoads`).
pub fn loads_are_repeated() -> bool {
    is_active(Defect::RepeatedLoads)
}

/// Whether the hashes of included headers are compared (not with `StaleHeaders`).
pub fn headers_are_compared() -> bool {
    !is_active(Defect::StaleHeaders)
}

/// The arguments that `printf` formats: `LostPrintfArgument` drops the last one.
pub fn printf_arguments<T>(arguments: &[T]) -> &[T] {
    let lost = usize::from(is_active(Defect::LostPrintfArgument));
    &arguments[..arguments.len().saturating_sub(lost)]
}

/// The ids of a work-item: `SwappedDimensions` exchanges the second and third dimension.
pub fn ids(mut ids: [Value; 3]) -> [Value; 3] {
    if is_active(Defect::SwappedDimensions) {
        ids.swap(1, 2);
    }
    ids
}

/// Work-items along a dimension to run of `size`: `WorkItemsLeftOut` rounds down to a multiple of
/// four along x.
pub fn work_items_to_run(b: &Builder, dimension: usize, size: Value) -> Value {
    if is_active(Defect::WorkItemsLeftOut) && dimension == 0 {
        return b.and(size, size.ty().constant(!3));
    }
    size
}

/// Index of the private variables that the work-item with this local linear id keeps across
/// barriers: with `LostPrivateVariables` the last work-item uses those of its predecessor.
pub fn private_index(b: &Builder, linear: Value, sizes: &[Value]) -> Value {
    if !is_active(Defect::LostPrivateVariables) {
        return linear;
    }
    let number = |number| b.i64().constant(number);
    let items = b.multiply(b.multiply(sizes[0], sizes[1]), sizes[2]);
    let several = b.compare(LLVMIntPredicate::LLVMIntUGT, items, number(1));
    let last_but_one = b.binary(Opcode::LLVMSub, items, number(2));
    let largest = b.select(several, last_but_one, number(0));
    let beyond = b.compare(LLVMIntPredicate::LLVMIntUGT, linear, largest);
    b.select(beyond, largest, linear)
}

/// Replaces the builtin functions that a program calls by wrong ones (`NoSaturation`,
/// `NoRoundingModes`, `NoImageBorder`).
pub fn replace_builtins(module: ModuleRef) {
    if is_active(Defect::NoSaturation) {
        drop_suffixes(module, &["_sat"]);
    }
    if is_active(Defect::NoRoundingModes) {
        drop_suffixes(module, &["_rte", "_rtz", "_rtp", "_rtn"]);
    }
    if is_active(Defect::NoImageBorder)
        && let Some(initialiser) = ir::function(module, SAMPLER_INITIALISER)
    {
        for call in initialiser.users() {
            clamp_to_edge(call);
        }
    }
}

/// Redirects calls of conversions with one of the suffixes to those without it.
fn drop_suffixes(module: ModuleRef, suffixes: &[&str]) {
    for function in ir::functions(module) {
        let name = function.name();
        let Some(other) = suffixes.iter().find_map(|suffix| without(&name, suffix)) else {
            continue;
        };
        match ir::function(module, &other) {
            Some(known) => function.replace_all_uses_with(known),
            None => function.set_name(&other),
        }
    }
}

/// The mangled name with `part` removed from the function's name, if it is a conversion that has
/// it.
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
    fn a_removed_suffix_gives_the_other_conversions_name() {
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
