//! Instructions as statements.

use super::body::Body;
use super::calls;
use super::print;
use super::types::{self, Sign, integer_bits};
use super::unsupported::Unsupported;
use crate::ir::{Opcode, Type, TypeKind, Value};
use llvm_sys::LLVMAtomicRMWBinOp as Atomic;
use llvm_sys::LLVMIntPredicate as IntegerPredicate;
use llvm_sys::LLVMRealPredicate as RealPredicate;
use std::fmt::Write;

/// Operation of C, and whether its operands have a sign.
const BINARY: &[(Opcode, &str, Sign)] = &[
    (Opcode::LLVMAdd, "+", Sign::Unsigned),
    (Opcode::LLVMSub, "-", Sign::Unsigned),
    (Opcode::LLVMMul, "*", Sign::Unsigned),
    (Opcode::LLVMUDiv, "/", Sign::Unsigned),
    (Opcode::LLVMSDiv, "/", Sign::Signed),
    (Opcode::LLVMURem, "%", Sign::Unsigned),
    (Opcode::LLVMSRem, "%", Sign::Signed),
    (Opcode::LLVMShl, "<<", Sign::Unsigned),
    (Opcode::LLVMLShr, ">>", Sign::Unsigned),
    (Opcode::LLVMAShr, ">>", Sign::Signed),
    (Opcode::LLVMAnd, "&", Sign::Unsigned),
    (Opcode::LLVMOr, "|", Sign::Unsigned),
    (Opcode::LLVMXor, "^", Sign::Unsigned),
    (Opcode::LLVMFAdd, "+", Sign::Unsigned),
    (Opcode::LLVMFSub, "-", Sign::Unsigned),
    (Opcode::LLVMFMul, "*", Sign::Unsigned),
    (Opcode::LLVMFDiv, "/", Sign::Unsigned),
];

const INTEGER_COMPARISONS: &[(IntegerPredicate, &str, Sign)] = &[
    (IntegerPredicate::LLVMIntEQ, "==", Sign::Unsigned),
    (IntegerPredicate::LLVMIntNE, "!=", Sign::Unsigned),
    (IntegerPredicate::LLVMIntUGT, ">", Sign::Unsigned),
    (IntegerPredicate::LLVMIntUGE, ">=", Sign::Unsigned),
    (IntegerPredicate::LLVMIntULT, "<", Sign::Unsigned),
    (IntegerPredicate::LLVMIntULE, "<=", Sign::Unsigned),
    (IntegerPredicate::LLVMIntSGT, ">", Sign::Signed),
    (IntegerPredicate::LLVMIntSGE, ">=", Sign::Signed),
    (IntegerPredicate::LLVMIntSLT, "<", Sign::Signed),
    (IntegerPredicate::LLVMIntSLE, "<=", Sign::Signed),
];

/// A comparison in C, where `A` and `B` are the operands, and whether it is negated.
const REAL_COMPARISONS: &[(RealPredicate, &str, bool)] = &[
    (RealPredicate::LLVMRealOEQ, "A == B", false),
    (RealPredicate::LLVMRealOGT, "A > B", false),
    (RealPredicate::LLVMRealOGE, "A >= B", false),
    (RealPredicate::LLVMRealOLT, "A < B", false),
    (RealPredicate::LLVMRealOLE, "A <= B", false),
    (RealPredicate::LLVMRealONE, "(A < B) | (A > B)", false),
    (RealPredicate::LLVMRealORD, "(A == A) & (B == B)", false),
    (RealPredicate::LLVMRealUNO, "(A != A) | (B != B)", false),
    (RealPredicate::LLVMRealUEQ, "(A < B) | (A > B)", true),
    (RealPredicate::LLVMRealUGT, "A <= B", true),
    (RealPredicate::LLVMRealUGE, "A < B", true),
    (RealPredicate::LLVMRealULT, "A >= B", true),
    (RealPredicate::LLVMRealULE, "A > B", true),
    (RealPredicate::LLVMRealUNE, "A != B", false),
];

/// Suffix of C's atomic functions, and whether the operand has a sign.
const ATOMICS: &[(Atomic, &str, Sign)] = &[
    (Atomic::LLVMAtomicRMWBinOpXchg, "exchange_n", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpAdd, "fetch_add", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpSub, "fetch_sub", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpAnd, "fetch_and", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpOr, "fetch_or", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpXor, "fetch_xor", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpMax, "fetch_max", Sign::Signed),
    (Atomic::LLVMAtomicRMWBinOpMin, "fetch_min", Sign::Signed),
    (Atomic::LLVMAtomicRMWBinOpUMax, "fetch_max", Sign::Unsigned),
    (Atomic::LLVMAtomicRMWBinOpUMin, "fetch_min", Sign::Unsigned),
];

/// Writes an instruction that is neither a φ nor a terminator.
pub fn write(body: &mut Body<'_>, instruction: Value) -> Result<(), Unsupported> {
    if print::is_format(instruction) {
        return Ok(());
    }
    match instruction.opcode() {
        Opcode::LLVMCall => return calls::write(body, instruction),
        Opcode::LLVMStore => return store(body, instruction),
        Opcode::LLVMLoad => return load(body, instruction),
        Opcode::LLVMFence => {
            body.statement("__atomic_thread_fence(__ATOMIC_SEQ_CST);");
            return Ok(());
        }
        Opcode::LLVMInsertElement => {
            let result = body.value(instruction)?;
            let [vector, element, index] = operands(body, instruction)?;
            body.statement(&format!(
                "{result} = {vector}; {result}[{index}] = {element};"
            ));
            return Ok(());
        }
        Opcode::LLVMInsertValue => {
            let result = body.value(instruction)?;
            let [aggregate, part] = operands(body, instruction)?;
            let path = path(instruction);
            body.statement(&format!("{result} = {aggregate}; {result}{path} = {part};"));
            return Ok(());
        }
        Opcode::LLVMAtomicCmpXchg => return compare_exchange(body, instruction),
        _ => {}
    }
    let result = body.value(instruction)?;
    let expression = expression(body, instruction)?;
    body.statement(&format!("{result} = {expression};"));
    Ok(())
}

/// The part of a structure that an instruction reads or writes, as C.
fn path(instruction: Value) -> String {
    let indices = instruction.aggregate_indices().into_iter();
    let names = indices.map(|index| format!(".{}", types::part_name(index)));
    names.collect()
}

fn operands<const N: usize>(
    body: &mut Body<'_>,
    instruction: Value,
) -> Result<[String; N], Unsupported> {
    let mut texts = Vec::new();
    for operand in instruction.operands().into_iter().take(N) {
        texts.push(body.value(operand)?);
    }
    texts
        .try_into()
        .map_err(|_| Unsupported::Instruction(instruction.text()))
}

fn expression(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let ty = instruction.ty();
    Ok(match instruction.opcode() {
        Opcode::LLVMFNeg => format!("-{}", body.value(instruction.operand(0))?),
        Opcode::LLVMFreeze => body.value(instruction.operand(0))?,
        Opcode::LLVMAlloca => format!("(pointer){}_memory", body.value(instruction)?),
        Opcode::LLVMGetElementPtr => address(body, instruction)?,
        Opcode::LLVMICmp => integer_comparison(body, instruction)?,
        Opcode::LLVMFCmp => real_comparison(body, instruction)?,
        Opcode::LLVMSelect => select(body, instruction)?,
        Opcode::LLVMExtractElement => {
            let [vector, index] = operands(body, instruction)?;
            format!("{vector}[{index}]")
        }
        Opcode::LLVMShuffleVector => shuffle(body, instruction)?,
        Opcode::LLVMExtractValue => {
            let aggregate = body.value(instruction.operand(0))?;
            format!("{aggregate}{}", path(instruction))
        }
        Opcode::LLVMAtomicRMW => atomic(body, instruction)?,
        opcode => match BINARY.iter().find(|(binary, ..)| *binary == opcode) {
            Some((_, operation, sign)) => binary(body, instruction, operation, *sign)?,
            None => cast(body, instruction, ty)?,
        },
    })
}

fn binary(
    body: &mut Body<'_>,
    instruction: Value,
    operation: &str,
    sign: Sign,
) -> Result<String, Unsupported> {
    let ty = instruction.ty();
    let [a, b] = operands(body, instruction)?;
    let Some(bits) = integer_bits(ty) else {
        return Ok(format!("{a} {operation} {b}"));
    };
    let name = body.types.name(ty)?;
    if bits == 1 && !matches!(operation, "&" | "|" | "^") {
        return Err(Unsupported::Instruction(instruction.text()));
    }
    Ok(if sign == Sign::Signed {
        let signed = body.types.signed(ty)?;
        format!("({name})(({signed}){a} {operation} ({signed}){b})")
    } else if bits < 32 && bits != 1 && !ty.is_vector() && [8, 16].contains(&bits) {
        // Not as int, whose products may overflow.
        format!("({name})((u32){a} {operation} (u32){b})")
    } else {
        format!("({name})({a} {operation} {b})")
    })
}

fn integer_comparison(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let predicate = instruction.predicate();
    let found = INTEGER_COMPARISONS.iter().find(|row| row.0 == predicate);
    let (_, operation, sign) = found.expect("the table has all predicates");
    let ty = instruction.operand(0).ty();
    let [a, b] = operands(body, instruction)?;
    let name = match (ty.is_pointer(), sign) {
        (true, Sign::Unsigned) => "u64".to_owned(),
        (true, Sign::Signed) => "i64".to_owned(),
        (false, Sign::Unsigned) => body.types.name(ty)?,
        (false, Sign::Signed) if integer_bits(ty) == Some(1) => {
            return Err(Unsupported::Instruction(instruction.text()));
        }
        (false, Sign::Signed) => body.types.signed(ty)?,
    };
    let text = format!("({name}){a} {operation} ({name}){b}");
    Ok(body.truth(ty, &text))
}

fn real_comparison(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let ty = instruction.operand(0).ty();
    let [a, b] = operands(body, instruction)?;
    let found = REAL_COMPARISONS
        .iter()
        .find(|row| row.0 == instruction.float_predicate());
    let Some((_, form, negated)) = found else {
        return Err(Unsupported::Instruction(instruction.text()));
    };
    let mut text = String::new();
    for c in form.chars() {
        match c {
            'A' => text += &a,
            'B' => text += &b,
            c => text.push(c),
        }
    }
    let truth = body.truth(ty, &text);
    Ok(match (negated, ty.is_vector()) {
        (false, _) => truth,
        (true, false) => format!("{truth} ^ 1"),
        (true, true) => {
            let bytes = body.types.vector("u8", ty.vector_elements().1);
            format!("{truth} ^ ({bytes})1")
        }
    })
}

fn select(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let [condition, a, b] = operands(body, instruction)?;
    if !instruction.operand(0).ty().is_vector() {
        return Ok(format!("{condition} ? {a} : {b}"));
    }
    let ty = instruction.ty();
    let name = body.types.name(ty)?;
    let signed = body.types.mask(ty, Sign::Signed)?;
    let bits = body.types.mask(ty, Sign::Unsigned)?;
    let mask = format!("({bits})-__builtin_convertvector({condition}, {signed})");
    Ok(format!(
        "({name})((({bits}){a} & {mask}) | (({bits}){b} & ~{mask}))"
    ))
}

fn shuffle(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let [a, b] = operands(body, instruction)?;
    let (_, count) = instruction.operand(0).ty().vector_elements();
    let elements = instruction.shuffle_mask().into_iter().map(|element| {
        let count = count as usize;
        match element {
            Some(number) if number < count => format!("{a}[{number}]"),
            Some(number) => format!("{b}[{}]", number - count),
            None => "0".to_owned(),
        }
    });
    let elements: Vec<_> = elements.collect();
    let name = body.types.name(instruction.ty())?;
    Ok(format!("({name}){{{}}}", elements.join(", ")))
}

/// The address that a `getelementptr` computes, in bytes.
fn address(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let unsupported = || Unsupported::Instruction(instruction.text());
    if instruction.ty().is_vector() {
        return Err(unsupported());
    }
    let mut text = body.value(instruction.operand(0))?;
    let mut bytes = 0i64;
    let mut ty = instruction.indexed_type();
    for (number, index) in instruction.operands().into_iter().skip(1).enumerate() {
        if number > 0 {
            match ty.kind() {
                TypeKind::LLVMStructTypeKind => {
                    let field = index.as_integer().ok_or_else(unsupported)? as u32;
                    bytes += body.types.layout.field_offset(ty, field) as i64;
                    ty = ty.fields()[field as usize];
                    continue;
                }
                TypeKind::LLVMArrayTypeKind => ty = ty.array_elements().0,
                TypeKind::LLVMVectorTypeKind => ty = ty.vector_elements().0,
                _ => return Err(unsupported()),
            }
        }
        let size = body.types.layout.size(ty) as i64;
        match index.as_signed_integer() {
            Some(index) => bytes = bytes.wrapping_add(index.wrapping_mul(size)),
            None => {
                let signed = body.types.signed(index.ty())?;
                let index = body.value(index)?;
                // Writing to a string does not fail.
                let _ = write!(text, " + (i64)({signed}){index} * {size}");
            }
        }
    }
    if bytes != 0 {
        let _ = write!(text, " + ({bytes})");
    }
    Ok(text)
}

/// Whether the first bytes of an object of C's type are those of a value in memory.
fn check_stored(ty: Type, instruction: Value) -> Result<(), Unsupported> {
    match integer_bits(ty) {
        None | Some(8 | 16 | 32 | 64 | 128) => Ok(()),
        Some(bits) if !ty.is_vector() && (bits == 1 || bits.is_multiple_of(8)) => Ok(()),
        Some(_) => Err(Unsupported::Instruction(instruction.text())),
    }
}

/// The place of a volatile or atomic access, as an object of its type; none of other accesses.
fn place(
    body: &mut Body<'_>,
    instruction: Value,
    ty: Type,
    pointer: &str,
) -> Result<Option<String>, Unsupported> {
    check_stored(ty, instruction)?;
    // Others have bytes behind the value, which are not the access's.
    let layout = &body.types.layout;
    let is_whole = layout.size(ty) == layout.stored(ty);
    if !instruction.is_volatile() && !instruction.is_atomic() {
        return Ok(None);
    }
    if !is_whole {
        return Err(Unsupported::Instruction(instruction.text()));
    }
    let name = body.types.name(ty)?;
    Ok(Some(format!("*(volatile {name} *){pointer}")))
}

fn load(body: &mut Body<'_>, instruction: Value) -> Result<(), Unsupported> {
    let ty = instruction.ty();
    let result = body.value(instruction)?;
    let pointer = body.value(instruction.operand(0))?;
    if types::parts(ty).is_some() {
        return copy_parts(body, ty, |path, offset, size| {
            format!("__builtin_memcpy(&{result}{path}, {pointer} + {offset}, {size});")
        });
    }
    let size = body.types.layout.stored(ty);
    let text = match place(body, instruction, ty, &pointer)? {
        Some(place) if instruction.is_atomic() => {
            format!("__atomic_load(&{place}, &{result}, __ATOMIC_SEQ_CST);")
        }
        Some(place) => format!("{result} = {place};"),
        None => format!("__builtin_memcpy(&{result}, {pointer}, {size});"),
    };
    body.statement(&text);
    Ok(())
}

/// Copies each part of a structure between a value and memory; `copy` gives the statement, of its path, and
/// its offset and size in bytes.
fn copy_parts(
    body: &mut Body<'_>,
    ty: Type,
    copy: impl Fn(&str, u64, u64) -> String,
) -> Result<(), Unsupported> {
    for leaf in body.types.leaves(ty) {
        if matches!(integer_bits(leaf.ty), Some(bits) if !bits.is_multiple_of(8)) {
            return Err(Unsupported::Type(leaf.ty.text()));
        }
        let size = body.types.layout.stored(leaf.ty);
        body.statement(&copy(&leaf.path, leaf.offset, size));
    }
    Ok(())
}

fn store(body: &mut Body<'_>, instruction: Value) -> Result<(), Unsupported> {
    let ty = instruction.operand(0).ty();
    let [value, pointer] = operands(body, instruction)?;
    let size = body.types.layout.stored(ty);
    let name = body.types.name(ty)?;
    if types::parts(ty).is_some() {
        return copy_parts(body, ty, |path, offset, size| {
            format!(
                "{{ {name} stored = {value}; __builtin_memcpy({pointer} + {offset}, &stored{path}, {size}); }}"
            )
        });
    }
    let text = match place(body, instruction, ty, &pointer)? {
        Some(place) if instruction.is_atomic() => {
            format!("__atomic_store(&{place}, &({name}){{{value}}}, __ATOMIC_SEQ_CST);")
        }
        Some(place) => format!("{place} = {value};"),
        None => {
            format!("{{ {name} stored = {value}; __builtin_memcpy({pointer}, &stored, {size}); }}")
        }
    };
    body.statement(&text);
    Ok(())
}

fn atomic(body: &mut Body<'_>, instruction: Value) -> Result<String, Unsupported> {
    let ty = instruction.ty();
    let operation = instruction.atomic_operation();
    let found = ATOMICS.iter().find(|row| Some(row.0) == operation);
    let (Some((_, function, sign)), true) = (found, ty.is_integer()) else {
        return Err(Unsupported::Instruction(instruction.text()));
    };
    let [pointer, value] = operands(body, instruction)?;
    let unsigned = body.types.name(ty)?;
    let name = match sign {
        Sign::Signed => body.types.signed(ty)?,
        Sign::Unsigned => unsigned.clone(),
    };
    let arguments = format!("({name} *){pointer}, ({name}){value}, __ATOMIC_SEQ_CST");
    Ok(format!("({unsigned})__atomic_{function}({arguments})"))
}

fn compare_exchange(body: &mut Body<'_>, instruction: Value) -> Result<(), Unsupported> {
    let ty = instruction.operand(1).ty();
    if !ty.is_integer() {
        return Err(Unsupported::Instruction(instruction.text()));
    }
    let name = body.types.name(ty)?;
    let result = body.value(instruction)?;
    let [pointer, expected, desired] = operands(body, instruction)?;
    let order = "__ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST";
    body.statement(&format!("{result}.part0 = {expected};"));
    body.statement(&format!(
        "{result}.part1 = __atomic_compare_exchange_n(({name} *){pointer}, &{result}.part0, {desired}, 0, {order});"
    ));
    Ok(())
}

fn cast(body: &mut Body<'_>, instruction: Value, ty: Type) -> Result<String, Unsupported> {
    let unsupported = || Unsupported::Instruction(instruction.text());
    let opcode = instruction.opcode();
    let from = instruction.operand(0).ty();
    let value = body.value(instruction.operand(0))?;
    let name = body.types.name(ty)?;
    let (of_truth, to_truth) = (integer_bits(from) == Some(1), integer_bits(ty) == Some(1));
    let convert = |value: String, name: &str| match ty.is_vector() {
        true => format!("__builtin_convertvector({value}, {name})"),
        false => format!("({name}){value}"),
    };
    let to_integer = |value: String, name: &str| match ty.is_vector() {
        true => format!("TO_INTEGERS({name}, {value})"),
        false => format!("TO_INTEGER({name}, {value})"),
    };
    Ok(match opcode {
        Opcode::LLVMTrunc if to_truth => format!("({name})({} & 1)", convert(value, &name)),
        Opcode::LLVMTrunc | Opcode::LLVMZExt | Opcode::LLVMFPTrunc | Opcode::LLVMFPExt => {
            convert(value, &name)
        }
        Opcode::LLVMUIToFP => convert(value, &name),
        Opcode::LLVMSExt if of_truth => {
            format!("({name})-{}", convert(value, &body.types.signed(ty)?))
        }
        Opcode::LLVMSExt => {
            let source = body.types.signed(from)?;
            let signed = body.types.signed(ty)?;
            format!("({name}){}", convert(format!("({source}){value}"), &signed))
        }
        Opcode::LLVMSIToFP if !of_truth => {
            let source = body.types.signed(from)?;
            convert(format!("({source}){value}"), &name)
        }
        Opcode::LLVMFPToUI if !to_truth => to_integer(value, &name),
        Opcode::LLVMFPToSI if !to_truth => {
            let signed = body.types.signed(ty)?;
            format!("({name}){}", to_integer(value, &signed))
        }
        Opcode::LLVMPtrToInt if !ty.is_vector() => format!("({name})(u64){value}"),
        Opcode::LLVMIntToPtr if !ty.is_vector() => format!("(pointer)(u64){value}"),
        Opcode::LLVMAddrSpaceCast if !ty.is_vector() => value,
        Opcode::LLVMBitCast => {
            check_stored(ty, instruction)?;
            check_stored(from, instruction)?;
            let source = body.types.name(from)?;
            let size = body.types.layout.stored(ty);
            format!("BITS_OF({name}, {source}, {value}, {size})")
        }
        _ => return Err(unsupported()),
    })
}
