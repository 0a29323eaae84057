//! The accuracy of the builtin functions. The crate `accuracy` compares them with MPFR on a few
//! thousand arguments each, including special values, in scalar code that compilers vectorise, and
//! on vectors of 4. `cargo xtask accuracy` uses more arguments.

use crate::case::{Case, Category};
use accuracy::function::Function;
use accuracy::function::Style;
use accuracy::functions;
use accuracy::platform::{Platform, QUICK_FORMS, source};
use accuracy::report;
use accuracy::sweep::{self, Settings};
use anyhow::{Result, bail, ensure};
use harness::feature::{DOUBLES, HALVES};
use harness::session::Session;
use rayon::prelude::*;

/// Approximate number of arguments of each function in addition to the special values.
const SAMPLES: usize = 1000;

/// Functions of section 6.12.4.
const COMMON: [&str; 8] = [
    "clamp",
    "degrees",
    "max",
    "min",
    "mix",
    "radians",
    "sign",
    "smoothstep",
];

/// The functions that a case tests.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Family {
    /// Mathematical functions (section 6.12.2) of one argument, and `1 / x`.
    OneArgument,
    /// Mathematical functions and operators of several arguments.
    SeveralArguments,
    /// `half_` functions.
    HalfPrecision,
    /// Common and geometric functions (sections 6.12.4 and 6.12.5).
    Geometry,
    /// Conversions (section 6.2.3).
    Conversions,
    /// Functions without an error limit in OpenCL.
    Unlimited,
}

fn family(function: &Function) -> Family {
    let common = COMMON.contains(&function.name.as_str()) || function.name == "step";
    match function.style {
        Style::Conversion => Family::Conversions,
        Style::Unit(_) | Style::Vector(_) => Family::Geometry,
        _ if common => Family::Geometry,
        _ if function.name.starts_with("native_") => Family::Unlimited,
        _ if function.name.starts_with("half_") => Family::HalfPrecision,
        Style::One | Style::Code => Family::OneArgument,
        _ => Family::SeveralArguments,
    }
}

/// Compares the functions of a family with MPFR, for the type named `kind`, or for all types if
/// `kind` is empty.
fn run(session: &Session, kind: &str, wanted: Family) -> Result<()> {
    let platform = Platform::new(session.device)?;
    let options = session.with_options("")?;
    let settings = Settings {
        // There are many conversions, and vectors are converted element by element: one form is
        // enough.
        forms: if wanted == Family::Conversions {
            &QUICK_FORMS[1..]
        } else {
            &QUICK_FORMS
        },
        options: options.to_str()?,
        samples: SAMPLES,
        relaxed: false,
        all_halves: false,
    };
    let functions: Vec<Function> = functions::all()
        .into_iter()
        .filter(|function| kind.is_empty() || function.format.name() == kind)
        .filter(|function| family(function) == wanted && platform.has_types_of(function))
        .collect();
    ensure!(!functions.is_empty(), "there are no such functions");
    let outcomes: Vec<Result<Option<String>>> = functions
        .par_iter()
        .map(|function| {
            let outcome = sweep::sweep(&platform, function, &settings)?;
            Ok((!outcome.holds()).then(|| report::line(function, &outcome)))
        })
        .collect();
    let mut broken = Vec::new();
    for (function, outcome) in functions.iter().zip(outcomes) {
        let line = match outcome {
            Ok(None) => continue,
            Ok(Some(line)) => line,
            Err(error) => format!("{}: {error:#}", function.name),
        };
        session.show_source(&source(function, 1))?;
        broken.push(line);
    }
    if !broken.is_empty() {
        bail!(
            "{} of {} functions exceed their limits (section 7.4; units in the last place):\n{}",
            broken.len(),
            functions.len(),
            broken.join("\n")
        );
    }
    Ok(())
}

const fn case(name: &'static str, what: &'static str, run: fn(&Session) -> Result<()>) -> Case {
    Case::new(Category::Builtin, name, what, run)
}

/// The cases of this category.
pub const CASES: &[Case] = &[
    case(
        "float_functions_of_one_argument",
        "mathematical functions such as sin within the limits of section 7.4",
        |session| run(session, "float", Family::OneArgument),
    ),
    case(
        "float_functions_of_several_arguments",
        "mathematical functions such as pow, fmod and fma, and the operators",
        |session| run(session, "float", Family::SeveralArguments),
    ),
    case(
        "float_half_precision_functions",
        "half_ functions such as half_sin within 8192 units in the last place",
        |session| run(session, "float", Family::HalfPrecision),
    ),
    case(
        "float_geometry",
        "common and geometric functions, with the limits of later versions of OpenCL C",
        |session| run(session, "float", Family::Geometry),
    ),
    case(
        "double_functions_of_one_argument",
        "mathematical functions such as sin, exp and rint of doubles",
        |session| run(session, "double", Family::OneArgument),
    )
    .needs(&[DOUBLES]),
    case(
        "double_functions_of_several_arguments",
        "mathematical functions such as pow and fma of doubles, and the operators",
        |session| run(session, "double", Family::SeveralArguments),
    )
    .needs(&[DOUBLES]),
    case(
        "double_geometry",
        "common and geometric functions of doubles",
        |session| run(session, "double", Family::Geometry),
    )
    .needs(&[DOUBLES]),
    case(
        "half_functions_of_one_argument",
        "mathematical functions such as sin, exp and rint of halves",
        |session| run(session, "half", Family::OneArgument),
    )
    .needs(&[HALVES]),
    case(
        "half_functions_of_several_arguments",
        "mathematical functions such as pow and fma of halves, and the operators",
        |session| run(session, "half", Family::SeveralArguments),
    )
    .needs(&[HALVES]),
    case(
        "half_geometry",
        "common and geometric functions of halves",
        |session| run(session, "half", Family::Geometry),
    )
    .needs(&[HALVES]),
    case(
        "conversions",
        "convert_ between all supported scalar types, in all rounding modes, with and without _sat",
        |session| run(session, "", Family::Conversions),
    ),
];
