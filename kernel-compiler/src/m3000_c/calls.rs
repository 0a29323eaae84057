//! Calls: functions of the program, LLVM's intrinsics, and the compiler's.

use super::barriers;
use super::body::{Body, defined_name};
use super::print;
use super::types::{Sign, integer_bits};
use super::unsupported::Unsupported;
use crate::intrinsics::DMA_TRANSFER;
use crate::ir::{Opcode, Type, Value};

/// How an intrinsic is written.
#[derive(Clone, Copy)]
enum Form {
    /// Nothing: it only informs LLVM.
    None,
    /// A function of clang's for scalars and vectors. The number of operands, and whether integers
    /// have a sign.
    Elementwise(&'static str, usize, Sign),
    /// A product and sum with one rounding.
    Fused,
    /// An operation on integers that also says whether it has wrapped.
    Overflow(&'static str, Sign),
    /// A copy of memory, or filling.
    Memory(&'static str),
}

const LLVM: &[(&str, Form)] = &[
    ("lifetime.start", Form::None),
    ("lifetime.end", Form::None),
    ("assume", Form::None),
    ("experimental.noalias.scope.decl", Form::None),
    ("prefetch", Form::None),
    ("fabs", Form::Elementwise("abs", 1, Sign::Unsigned)),
    ("sqrt", Form::Elementwise("sqrt", 1, Sign::Unsigned)),
    ("floor", Form::Elementwise("floor", 1, Sign::Unsigned)),
    ("ceil", Form::Elementwise("ceil", 1, Sign::Unsigned)),
    ("trunc", Form::Elementwise("trunc", 1, Sign::Unsigned)),
    ("rint", Form::Elementwise("rint", 1, Sign::Unsigned)),
    (
        "nearbyint",
        Form::Elementwise("nearbyint", 1, Sign::Unsigned),
    ),
    ("round", Form::Elementwise("round", 1, Sign::Unsigned)),
    (
        "roundeven",
        Form::Elementwise("roundeven", 1, Sign::Unsigned),
    ),
    ("copysign", Form::Elementwise("copysign", 2, Sign::Unsigned)),
    ("minnum", Form::Elementwise("minnum", 2, Sign::Unsigned)),
    ("maxnum", Form::Elementwise("maxnum", 2, Sign::Unsigned)),
    (
        "minimumnum",
        Form::Elementwise("minimumnum", 2, Sign::Unsigned),
    ),
    (
        "maximumnum",
        Form::Elementwise("maximumnum", 2, Sign::Unsigned),
    ),
    ("abs", Form::Elementwise("abs", 1, Sign::Signed)),
    ("smin", Form::Elementwise("min", 2, Sign::Signed)),
    ("smax", Form::Elementwise("max", 2, Sign::Signed)),
    ("umin", Form::Elementwise("min", 2, Sign::Unsigned)),
    ("umax", Form::Elementwise("max", 2, Sign::Unsigned)),
    ("sadd.sat", Form::Elementwise("add_sat", 2, Sign::Signed)),
    ("ssub.sat", Form::Elementwise("sub_sat", 2, Sign::Signed)),
    ("uadd.sat", Form::Elementwise("add_sat", 2, Sign::Unsigned)),
    ("usub.sat", Form::Elementwise("sub_sat", 2, Sign::Unsigned)),
    ("ctpop", Form::Elementwise("popcount", 1, Sign::Unsigned)),
    (
        "bitreverse",
        Form::Elementwise("bitreverse", 1, Sign::Unsigned),
    ),
    ("fshl", Form::Elementwise("fshl", 3, Sign::Unsigned)),
    ("fshr", Form::Elementwise("fshr", 3, Sign::Unsigned)),
    ("fma", Form::Fused),
    ("fmuladd", Form::Fused),
    ("sadd.with.overflow", Form::Overflow("add", Sign::Signed)),
    ("ssub.with.overflow", Form::Overflow("sub", Sign::Signed)),
    ("smul.with.overflow", Form::Overflow("mul", Sign::Signed)),
    ("uadd.with.overflow", Form::Overflow("add", Sign::Unsigned)),
    ("usub.with.overflow", Form::Overflow("sub", Sign::Unsigned)),
    ("umul.with.overflow", Form::Overflow("mul", Sign::Unsigned)),
    ("memcpy", Form::Memory("memcpy")),
    ("memcpy.inline", Form::Memory("memcpy")),
    ("memmove", Form::Memory("memmove")),
    ("memset", Form::Memory("memset")),
];

/// The form of an intrinsic: the longest name of the table, followed by types.
fn form(name: &str) -> Option<Form> {
    let name = name.strip_prefix("llvm.")?;
    let rows = LLVM.iter().filter(|(intrinsic, _)| {
        let rest = name.strip_prefix(intrinsic);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    });
    rows.max_by_key(|(intrinsic, _)| intrinsic.len())
        .map(|(_, form)| *form)
}

/// Writes a call.
pub fn write(body: &mut Body<'_>, call: Value) -> Result<(), Unsupported> {
    debug_assert!(call.is(Opcode::LLVMCall));
    let unsupported = || Unsupported::Instruction(call.text());
    let function = call.called_function().ok_or_else(unsupported)?;
    let name = function.name();
    let form = form(&name);
    if let Some(Form::None) = form {
        return Ok(());
    }
    let mut arguments = call.operands();
    // The last operand is the function itself.
    arguments.pop();
    let result = match call.ty().is_void() {
        true => String::new(),
        false => body.value(call)?,
    };
    if print::is_name(&name) {
        return print::write(body, call, &result);
    }
    let text = match form {
        Some(Form::Overflow(operation, sign)) => {
            return overflow(body, &result, &arguments, operation, sign);
        }
        Some(Form::Elementwise(operation, count, sign)) => {
            elementwise(body, &arguments[..count], operation, sign)?
        }
        Some(Form::Fused) => elementwise(body, &arguments, "fma", Sign::Unsigned)?,
        Some(Form::Memory(operation)) => {
            let [to, from, bytes] = [0, 1, 2].map(|number| body.value(arguments[number]));
            format!("__builtin_{operation}({}, {}, {})", to?, from?, bytes?)
        }
        _ if name == DMA_TRANSFER => called(body, "mocl3_transfer", &arguments)?,
        _ if let Some(written) = barriers::name(&name) => called(body, written, &arguments)?,
        _ if !function.is_declaration() => called(body, &defined_name(function), &arguments)?,
        _ if name.starts_with("llvm.ctlz.") || name.starts_with("llvm.cttz.") => {
            let operation = &name["llvm.".len()..][..4];
            count_zeros(body, arguments[0], operation)?
        }
        _ if name.starts_with("llvm.is.fpclass.") => {
            let operand = body.value(arguments[0])?;
            let class = arguments[1].as_integer().ok_or_else(unsupported)?;
            let text = format!("__builtin_isfpclass({operand}, {class}) != 0");
            body.truth(arguments[0].ty(), &text)
        }
        _ if name.starts_with("llvm.bswap.") => swapped(body, arguments[0], &name)?,
        _ => return Err(Unsupported::Function(name)),
    };
    body.statement(&match result.is_empty() {
        true => format!("{text};"),
        false => format!("{result} = {text};"),
    });
    Ok(())
}

fn called(body: &mut Body<'_>, name: &str, arguments: &[Value]) -> Result<String, Unsupported> {
    let mut texts = Vec::new();
    for argument in arguments {
        texts.push(body.value(*argument)?);
    }
    Ok(format!("{name}({})", texts.join(", ")))
}

/// Whether C has functions for all elements of this type, of this size.
fn check_elements(ty: Type) -> Result<(), Unsupported> {
    match integer_bits(ty) {
        None | Some(8 | 16 | 32 | 64 | 128) => Ok(()),
        Some(_) => Err(Unsupported::Type(ty.text())),
    }
}

/// An operand of a function for elements. Scalar integers are vectors of one, since C computes with
/// short ones as `int`.
fn element(body: &mut Body<'_>, value: Value, sign: Sign) -> Result<String, Unsupported> {
    let ty = value.ty();
    check_elements(ty)?;
    let text = body.value(value)?;
    if integer_bits(ty).is_none() {
        return Ok(text);
    }
    let name = match sign {
        Sign::Signed => body.types.signed(ty)?,
        Sign::Unsigned => body.types.name(ty)?,
    };
    Ok(match ty.is_vector() {
        true => format!("({name}){text}"),
        false => {
            let vector = body.types.vector(&name, 1);
            format!("({vector}){{({name}){text}}}")
        }
    })
}

/// The result of a function for elements.
fn result(body: &mut Body<'_>, ty: Type, text: String) -> Result<String, Unsupported> {
    let name = body.types.name(ty)?;
    Ok(match (integer_bits(ty), ty.is_vector()) {
        (None, _) => text,
        (Some(_), true) => format!("({name}){text}"),
        (Some(_), false) => format!("({name}){text}[0]"),
    })
}

fn elementwise(
    body: &mut Body<'_>,
    arguments: &[Value],
    operation: &str,
    sign: Sign,
) -> Result<String, Unsupported> {
    let mut texts = Vec::new();
    for argument in arguments {
        texts.push(element(body, *argument, sign)?);
    }
    let text = format!("__builtin_elementwise_{operation}({})", texts.join(", "));
    result(body, arguments[0].ty(), text)
}

/// Zeros before the first, or after the last bit that is set; all bits of zero.
fn count_zeros(body: &mut Body<'_>, value: Value, operation: &str) -> Result<String, Unsupported> {
    let ty = value.ty();
    let bits = integer_bits(ty).ok_or_else(|| Unsupported::Type(ty.text()))?;
    let text = element(body, value, Sign::Unsigned)?;
    let name = body.types.name(ty)?;
    let all = match ty.is_vector() {
        true => format!("({name}){bits}"),
        false => format!("({name}x1){{{bits}}}"),
    };
    let operation = if operation == "ctlz" { "clzg" } else { "ctzg" };
    result(
        body,
        ty,
        format!("__builtin_elementwise_{operation}({text}, {all})"),
    )
}

fn swapped(body: &mut Body<'_>, value: Value, function: &str) -> Result<String, Unsupported> {
    match integer_bits(value.ty()) {
        Some(bits @ (16 | 32 | 64)) if !value.ty().is_vector() => {
            Ok(format!("__builtin_bswap{bits}({})", body.value(value)?))
        }
        _ => Err(Unsupported::Function(function.to_owned())),
    }
}

fn overflow(
    body: &mut Body<'_>,
    result: &str,
    arguments: &[Value],
    operation: &str,
    sign: Sign,
) -> Result<(), Unsupported> {
    let ty = arguments[0].ty();
    check_elements(ty)?;
    if ty.is_vector() {
        return Err(Unsupported::Type(ty.text()));
    }
    let name = match sign {
        Sign::Signed => body.types.signed(ty)?,
        Sign::Unsigned => body.types.name(ty)?,
    };
    let (a, b) = (body.value(arguments[0])?, body.value(arguments[1])?);
    body.statement(&format!(
        "{result}.part1 = __builtin_{operation}_overflow(({name}){a}, ({name}){b}, ({name} *)&{result}.part0);"
    ));
    Ok(())
}
