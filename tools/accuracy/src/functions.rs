//! The functions that are swept, with their limits: section 7.4 of OpenCL 1.2 for
//! `float` and `double`, the table of cl_khr_fp16 for `half`. The geometric and common
//! functions have limits only since OpenCL C 3.0 (table 66 and the next), which are used here.

use crate::case::Case;
use crate::conversions;
use crate::format::Format;
use crate::function::{Denormals, Function, Limit, Style};
use crate::reference::{self as exact, Expected};
use crate::types::{INT, Type};

/// All functions.
pub fn all() -> Vec<Function> {
    let mut list = List::default();
    for format in [Format::Single, Format::Double, Format::Half] {
        list.add_functions(format);
    }
    list.functions.extend(conversions::all());
    list.functions
}

#[derive(Default)]
struct List {
    functions: Vec<Function>,
}

impl List {
    fn push(
        &mut self,
        format: Format,
        name: &str,
        limit: Limit,
        style: Style,
        reference: impl Fn(&Case<'_>) -> Expected + Send + Sync + 'static,
    ) -> &mut Function {
        let value = Type::Floating(format);
        let arguments = match style {
            Style::One => vec![value],
            Style::Two | Style::Power => vec![value; 2],
            Style::Three => vec![value; 3],
            Style::WithInteger | Style::IntegerPower => vec![value, INT],
            Style::Code => vec![Type::Integer(8 * format.bytes() as u32, false)],
            Style::Unit(count) | Style::Vector(count) => vec![value; count],
            Style::Conversion => unreachable!("conversions make their own"),
        };
        let names: Vec<String> = (0..arguments.len()).map(|i| format!("x{i}")).collect();
        self.functions.push(Function {
            name: name.into(),
            format,
            body: format!("r0 = {name}({});", names.join(", ")),
            options: "",
            arguments,
            results: vec![value],
            limits: vec![limit],
            style,
            // Section 6.12.2; OpenCL promises nothing of `native_` functions.
            denormals: match name.split_once('_') {
                Some(("half", _)) => Denormals::MayBeZeros,
                Some(("native", _)) => Denormals::Unspecified,
                _ => Denormals::Kept,
            },
            has_vectors: true,
            reference: Box::new(reference),
        });
        self.functions.last_mut().expect("it was pushed")
    }

    fn operator(
        &mut self,
        format: Format,
        operator: &str,
        limit: Limit,
        reference: fn(&Case<'_>) -> Expected,
    ) {
        let function = self.push(
            format,
            &format!("x {operator} y"),
            limit,
            Style::Two,
            reference,
        );
        function.body = format!("r0 = x0 {operator} x1;");
    }

    fn add_functions(&mut self, format: Format) {
        use Limit::{Absolute, Exact, None, Ulp};
        use Style::{IntegerPower, One, Power, Three, Two, Unit, Vector, WithInteger};
        let half = format == Format::Half;
        let single = format == Format::Single;
        // The limit of float and double, then that of half.
        let ulp = |full: f64, of_half: f64| Ulp(if half { of_half } else { full });
        let value = Type::Floating(format);

        self.operator(format, "+", Exact, exact::add);
        self.operator(format, "-", Exact, exact::subtract);
        self.operator(format, "*", Exact, exact::multiply);
        let rounded = |limit: f64| if single { Ulp(limit) } else { Exact };
        self.operator(format, "/", rounded(2.5), exact::divide);
        self.push(format, "1 / x", rounded(2.5), One, exact::reciprocal)
            .body = match format {
            Format::Single => "r0 = 1.0f / x0;".into(),
            Format::Half => "r0 = (half)1 / x0;".into(),
            Format::Double => "r0 = 1.0 / x0;".into(),
        };
        self.push(format, "sqrt", rounded(3.0), One, exact::sqrt);
        if single {
            const OPTION: &str = "-cl-fp32-correctly-rounded-divide-sqrt";
            self.operator(format, "/", Exact, exact::divide);
            let last = self.functions.last_mut().expect("it was pushed");
            last.options = OPTION;
            last.name = "x / y, correctly rounded".into();
            let root = self.push(format, "sqrt, correctly rounded", Exact, One, exact::sqrt);
            root.options = OPTION;
            root.body = "r0 = sqrt(x0);".into();
        }

        // Functions of one argument that MPFR has.
        for (name, limit, of_half, function) in exact::ONE {
            self.push(
                format,
                name,
                ulp(*limit, *of_half),
                One,
                exact::one(*function),
            );
        }
        self.push(format, "rsqrt", ulp(2.0, 1.0), One, exact::rsqrt);
        self.push(format, "tgamma", ulp(16.0, 4.0), One, exact::tgamma);
        self.push(format, "lgamma", None, One, exact::lgamma);
        self.push(format, "logb", Exact, One, exact::logb);
        self.push(format, "cospi", ulp(4.0, 2.0), One, exact::cospi);
        self.push(format, "sinpi", ulp(4.0, 2.0), One, exact::sinpi);
        self.push(format, "tanpi", ulp(6.0, 2.0), One, exact::tanpi);
        for (name, function) in exact::ONE_EXACT {
            self.push(format, name, Exact, One, exact::one(*function));
        }
        self.push(format, "ilogb", Exact, One, exact::ilogb).results = vec![INT];
        self.push(format, "nan", Exact, Style::Code, exact::nan);

        // Functions of two arguments.
        self.push(format, "atan2", ulp(6.0, 2.0), Two, exact::atan2);
        self.push(format, "atan2pi", ulp(6.0, 2.0), Two, exact::atan2pi);
        self.push(format, "copysign", Exact, Two, exact::copysign);
        self.push(format, "fdim", Exact, Two, exact::fdim);
        self.push(format, "fmax", Exact, Two, exact::fmax);
        self.push(format, "fmin", Exact, Two, exact::fmin);
        self.push(format, "fmod", Exact, Two, exact::fmod);
        self.push(format, "hypot", ulp(4.0, 2.0), Two, exact::hypot);
        self.push(format, "maxmag", Exact, Two, exact::maxmag);
        self.push(format, "minmag", Exact, Two, exact::minmag);
        self.push(format, "nextafter", Exact, Two, exact::nextafter);
        self.push(format, "pow", ulp(16.0, 4.0), Power, exact::pow);
        self.push(format, "powr", ulp(16.0, 4.0), Power, exact::powr);
        self.push(format, "pown", ulp(16.0, 4.0), IntegerPower, exact::pown);
        self.push(format, "remainder", Exact, Two, exact::remainder);
        self.push(format, "rootn", ulp(16.0, 4.0), WithInteger, exact::rootn);
        self.push(format, "ldexp", Exact, WithInteger, exact::ldexp);
        self.push(format, "fma", Exact, Three, exact::fma);
        self.push(format, "mad", None, Three, exact::mad);

        // Functions with a second result.
        let mut pair = |name: &str,
                        style,
                        second: Type,
                        limits: [Limit; 2],
                        reference: fn(&Case<'_>) -> Expected| {
            let function = self.push(format, name, limits[0], style, reference);
            let names: Vec<String> = (0..function.arguments.len())
                .map(|i| format!("x{i}"))
                .collect();
            function.body = format!("r0 = {name}({}, &r1);", names.join(", "));
            function.results.push(second);
            function.limits = limits.to_vec();
        };
        pair("fract", One, value, [Exact; 2], exact::fract);
        pair("frexp", One, INT, [Exact; 2], exact::frexp);
        pair("lgamma_r", One, INT, [None, Exact], exact::lgamma_r);
        pair("modf", One, value, [Exact; 2], exact::modf);
        pair("remquo", Two, INT, [Exact; 2], exact::remquo);
        pair("sincos", One, value, [ulp(4.0, 2.0); 2], exact::sincos);

        // half_: angles are limited to 2^16. OpenCL sets no limits for native_; this platform's are
        // those of half_, except that angles are limited to 2^13, and sines and cosines have an
        // absolute error of 2^-19.
        if single {
            for prefix in ["half_", "native_"] {
                let limit = Ulp(8192.0);
                for name in ["cos", "sin", "tan"] {
                    let (most, limit) = match (prefix, name) {
                        ("half_", _) => (65536.0, limit),
                        (_, "tan") => (8192.0, limit),
                        _ => (8192.0, Absolute(|_| f64::from(-19).exp2())),
                    };
                    let inner = exact::angle(name, most);
                    self.push(format, &format!("{prefix}{name}"), limit, One, inner);
                }
                for name in ["exp", "exp2", "exp10", "log", "log2", "log10", "sqrt"] {
                    let inner = exact::one_named(name);
                    self.push(format, &format!("{prefix}{name}"), limit, One, inner);
                }
                self.push(format, &format!("{prefix}rsqrt"), limit, One, exact::rsqrt);
                self.push(
                    format,
                    &format!("{prefix}recip"),
                    limit,
                    One,
                    exact::reciprocal,
                );
                self.push(
                    format,
                    &format!("{prefix}divide"),
                    limit,
                    Two,
                    exact::divide,
                );
                self.push(format, &format!("{prefix}powr"), limit, Power, exact::powr);
            }
        }

        // Common functions.
        self.push(format, "degrees", Ulp(2.0), One, exact::degrees);
        self.push(format, "radians", Ulp(2.0), One, exact::radians);
        self.push(format, "sign", Exact, One, exact::sign);
        self.push(format, "max", Exact, Two, exact::max);
        self.push(format, "min", Exact, Two, exact::min);
        self.push(format, "step", Exact, Two, exact::step);
        self.push(format, "clamp", Exact, Three, exact::clamp);
        // The specification says little about half; its arithmetic loses a few units of 1.
        let blend: [fn(&Case<'_>) -> f64; 2] = if half {
            [|_| 4e-3; 2]
        } else {
            [|_| 1e-3, |_| 1e-5]
        };
        self.push(format, "mix", Absolute(blend[0]), Unit(3), exact::mix);
        self.push(
            format,
            "smoothstep",
            Absolute(blend[1]),
            Unit(3),
            exact::smoothstep,
        );

        // Geometric functions.
        let mut geometric = |name: &str,
                             vectors: usize,
                             limit: Limit,
                             width: usize,
                             reference: fn(&Case<'_>) -> Expected| {
            let function = self.push(format, name, limit, Vector(vectors * width), reference);
            let vector = |first: usize| {
                let names: Vec<String> = (first..first + width).map(|i| format!("x{i}")).collect();
                let suffix = if width == 1 {
                    String::new()
                } else {
                    width.to_string()
                };
                format!("({}{suffix})({})", format.name(), names.join(", "))
            };
            let arguments: Vec<String> = (0..vectors).map(|i| vector(i * width)).collect();
            let component = if width > 1 && (name.ends_with("normalize") || name == "cross") {
                ".x"
            } else {
                ""
            };
            function.body = format!("r0 = {name}({}){component};", arguments.join(", "));
            function.name = format!("{name}, {width} components");
            function.has_vectors = false;
        };
        for width in [1, 2, 3, 4] {
            let n = width as f64;
            let (length, distance, normalize) = match format {
                Format::Half => (0.25 + 0.5 * n, 0.25 + 2.0 * n, 1.0 + n),
                Format::Single => (2.75 + 0.5 * n, 2.5 + 2.0 * n, 2.0 + n),
                Format::Double => (5.5 + n, 5.5 + 2.0 * n, 4.5 + n),
            };
            geometric("dot", 2, Absolute(exact::dot_tolerance), width, exact::dot);
            geometric("length", 1, Ulp(length), width, exact::length);
            geometric("distance", 2, Ulp(distance), width, exact::distance);
            geometric("normalize", 1, Ulp(normalize), width, exact::normalize);
            if single {
                geometric("fast_length", 1, Ulp(8191.5 + n), width, exact::fast_length);
                geometric(
                    "fast_distance",
                    2,
                    Ulp(8191.5 + 2.0 * n),
                    width,
                    exact::fast_distance,
                );
                geometric(
                    "fast_normalize",
                    1,
                    Ulp(8192.0 + n),
                    width,
                    exact::fast_normalize,
                );
            }
        }
        for width in [3, 4] {
            geometric(
                "cross",
                2,
                Absolute(exact::cross_tolerance),
                width,
                exact::cross,
            );
        }
    }
}
