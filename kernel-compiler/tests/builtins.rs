//! The builtin library against clang's own list of OpenCL C's builtins, and its results
//! against the host's.

mod running;

use kernel_compiler::extension;
use running::{executable_with, map};
use std::path::Path;
use std::process::Command;

/// The prototypes in clang's header, as this version of OpenCL C with our extensions and
/// features sees them.
fn prototypes(version: &str) -> Vec<String> {
    let header = Path::new(compiler_resources::OPENCL_HEADER_PATH);
    let includes = header.parent().unwrap();
    let clang = header.ancestors().nth(5).unwrap().join("bin/clang");
    let output = Command::new(clang)
        .args([
            "-cc1",
            "-triple",
            "x86_64-unknown-linux-gnu",
            "-x",
            "cl",
            version,
            "-D__IMAGE_SUPPORT__",
        ])
        .args(["-finclude-default-header", "-E", "-P", "-internal-isystem"])
        .arg(includes)
        .arg(extension::clang_argument())
        .arg("/dev/null")
        .output()
        .unwrap();
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let without_pragmas: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    without_pragmas
        .join(" ")
        .split(';')
        .filter(|part| part.contains("overloadable") && part.contains('('))
        .map(|part| part.split_whitespace().collect::<Vec<_>>().join(" "))
        // Depth images are of cl_khr_depth_images, which there is not.
        .filter(|part| {
            !["printf", "typedef", "depth"]
                .iter()
                .any(|word| part.contains(word))
        })
        .collect()
}

/// Result type, name and parameter types of a prototype.
fn parse(prototype: &str) -> Option<(String, String, Vec<String>)> {
    let mut text = prototype.to_owned();
    while let Some(start) = text.find("__attribute__") {
        let mut depth = 0;
        let end = text[start..].char_indices().find_map(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            (c == ')' && depth == 0).then_some(start + at + 1)
        })?;
        text.replace_range(start..end, " ");
    }
    let (front, rest) = text.split_once('(')?;
    let parameters = rest.rsplit_once(')')?.0;
    let mut front: Vec<&str> = front.split_whitespace().collect();
    let name = front.pop()?.to_owned();
    let is_type = |word: &str| {
        let scalar = word.trim_end_matches(|c: char| c.is_ascii_digit());
        [
            "char",
            "uchar",
            "short",
            "ushort",
            "int",
            "uint",
            "long",
            "ulong",
            "float",
            "double",
            "half",
            "void",
            "size_t",
            "event_t",
            "cl_mem_fence_flags",
            "unsigned",
            "bool",
        ]
        .contains(&scalar)
            || word.starts_with("image")
            || word.starts_with("memory_")
            || word == "sampler_t"
    };
    let parameters = parameters
        .split(',')
        .map(|parameter| {
            let spaced = parameter.replace('*', " * ");
            let mut words: Vec<&str> = spaced.split_whitespace().collect();
            let named = words.len() > 1
                && words.last().is_some_and(|word| {
                    *word != "*" && !is_type(word) && !word.starts_with("__") && *word != "const"
                });
            if named {
                words.pop();
            }
            words.join(" ")
        })
        .filter(|parameter| !parameter.is_empty() && parameter != "void")
        .collect();
    Some((front.join(" "), name, parameters))
}

/// Links a call of every builtin; checks the least number of them.
fn link_every_builtin(version: &str, least: usize) {
    let mut source = String::from("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    let mut count = 0;
    for prototype in prototypes(version) {
        let Some((result, name, parameters)) = parse(&prototype) else {
            panic!("cannot read {prototype}");
        };
        let declared: Vec<String> = parameters
            .iter()
            .enumerate()
            .map(|(index, parameter)| format!("{parameter} p{index}"))
            .collect();
        let passed: Vec<String> = (0..parameters.len())
            .map(|index| format!("p{index}"))
            .collect();
        let give = if result.ends_with("void") {
            ""
        } else {
            "return "
        };
        source.push_str(&format!(
            "{result} call{count}({}) {{ {give}{name}({}); }}\n",
            declared.join(", "),
            passed.join(", ")
        ));
        count += 1;
    }
    assert!(count > least, "only {count} prototypes were found");
    source.push_str("kernel void k(void) {}\n");
    executable_with(version, &source);
}

#[test]
fn every_builtin_of_opencl_c_1_2_is_there() {
    link_every_builtin("-cl-std=CL1.2", 11_000);
}

#[test]
fn every_builtin_of_opencl_c_3_0_is_there() {
    link_every_builtin("-cl-std=CL3.0", 11_500);
}

/// Distance in units in the last place of the right result.
fn ulps(got: f32, right: f64) -> f64 {
    if (got.is_nan() && right.is_nan()) || f64::from(got) == right || got == right as f32 {
        return 0.0;
    }
    if !right.is_finite() || !got.is_finite() {
        return f64::INFINITY;
    }
    let magnitude = right.abs().max(f64::from(f32::MIN_POSITIVE));
    let unit = 2f64.powi(magnitude.log2().floor() as i32 - 23);
    ((f64::from(got) - right) / unit).abs()
}

fn samples() -> Vec<f32> {
    let mut samples = vec![
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        2.0,
        10.0,
        -3.0,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::MAX,
        f32::MIN_POSITIVE,
        1e-40,
    ];
    // All exponents, with significands spread by a generator.
    let mut state = 12345u32;
    for exponent in 0..255u32 {
        for _ in 0..8 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let bits = (state & 0x807f_ffff) | (exponent << 23);
            samples.push(f32::from_bits(bits));
        }
    }
    samples.extend((-2000..2000).map(|i| i as f32 * 0.01));
    samples
}

#[test]
fn functions_of_floats_are_within_the_limits_of_section_7_4() {
    type Reference = fn(f64) -> f64;
    let functions: &[(&str, f64, Reference)] = &[
        ("acos", 4.0, f64::acos),
        ("acosh", 4.0, f64::acosh),
        ("asin", 4.0, f64::asin),
        ("atan", 5.0, f64::atan),
        ("atanh", 5.0, f64::atanh),
        ("cbrt", 2.0, f64::cbrt),
        ("ceil", 0.0, f64::ceil),
        ("cos", 4.0, f64::cos),
        ("cosh", 4.0, f64::cosh),
        ("exp", 3.0, f64::exp),
        ("exp2", 3.0, f64::exp2),
        ("expm1", 3.0, f64::exp_m1),
        ("fabs", 0.0, f64::abs),
        ("floor", 0.0, f64::floor),
        ("log", 3.0, f64::ln),
        ("log10", 3.0, f64::log10),
        ("log1p", 2.0, f64::ln_1p),
        ("log2", 3.0, f64::log2),
        ("rint", 0.0, f64::round_ties_even),
        ("round", 0.0, f64::round),
        ("rsqrt", 2.0, |x| 1.0 / x.sqrt()),
        ("sin", 4.0, f64::sin),
        ("sinh", 4.0, f64::sinh),
        ("sqrt", 0.5, f64::sqrt),
        ("tan", 5.0, f64::tan),
        ("tanh", 5.0, f64::tanh),
        ("trunc", 0.0, f64::trunc),
    ];
    let samples = samples();
    for (name, limit, reference) in functions {
        let source = format!(
            "kernel void k(global const float *in, global float *out) {{
                size_t i = get_global_id(0);
                out[i] = {name}(in[i]);
            }}"
        );
        let results: Vec<f32> = map(&source, &samples);
        for (&x, &got) in samples.iter().zip(&results) {
            let error = ulps(got, reference(f64::from(x)));
            assert!(error <= *limit, "{name}({x:e}) = {got:e}, {error} ulp");
        }
    }
}

/// Against the C library, whose own results are within 1 ulp.
#[test]
fn functions_of_doubles_are_within_the_limits_of_section_7_4() {
    type Reference = fn(f64) -> f64;
    let functions: &[(&str, f64, Reference)] = &[
        ("cos", 4.0, f64::cos),
        ("exp", 3.0, f64::exp),
        ("exp2", 3.0, f64::exp2),
        ("log", 3.0, f64::ln),
        ("log2", 3.0, f64::log2),
        ("sin", 4.0, f64::sin),
        ("sqrt", 0.5, f64::sqrt),
        ("tan", 5.0, f64::tan),
        ("tanh", 5.0, f64::tanh),
    ];
    let mut samples: Vec<f64> = samples().into_iter().map(f64::from).collect();
    samples.extend((0..4000).map(|i| f64::from(i).sqrt() * 17.3 - 400.0));
    for (name, limit, reference) in functions {
        let source = format!(
            "kernel void k(global const double *in, global double *out) {{
                size_t i = get_global_id(0);
                out[i] = {name}(in[i]);
            }}"
        );
        let results: Vec<f64> = map(&source, &samples);
        for (&x, &got) in samples.iter().zip(&results) {
            let right = reference(x);
            if got == right || (got.is_nan() && right.is_nan()) {
                continue;
            }
            let unit = right.abs().next_up() - right.abs();
            let error = (got - right).abs() / unit;
            assert!(error <= limit + 1.0, "{name}({x:e}) = {got:e}, {error} ulp");
        }
    }
}

#[test]
fn vectors_have_the_results_of_their_components() {
    let samples: Vec<[f32; 4]> = samples()
        .chunks_exact(4)
        .map(|c| c.try_into().unwrap())
        .collect();
    for name in ["log", "exp", "sin", "cbrt", "sinpi", "rsqrt", "sign"] {
        let source = format!(
            "kernel void k(global const float4 *in, global float8 *out) {{
                float4 x = in[get_global_id(0)];
                float4 parts = (float4)({name}(x.x), {name}(x.y), {name}(x.z), {name}(x.w));
                out[get_global_id(0)] = (float8)({name}(x), parts);
            }}"
        );
        for (got, x) in map::<_, [f32; 8]>(&source, &samples).iter().zip(&samples) {
            for i in 0..4 {
                let (whole, part) = (f64::from(got[i]), got[4 + i]);
                let error = ulps(part, whole);
                // Vector libraries differ from scalar ones in the last places.
                assert!(error <= 4.0, "{name} of {x:?}: {got:?}");
            }
        }
    }
}

#[test]
fn logarithms_of_what_has_none_are_the_integers_of_opencl_c() {
    let input = [0.0f32, -0.0, f32::NAN, f32::INFINITY];
    let source = "kernel void k(global const float *in, global int4 *out) {
            size_t i = get_global_id(0);
            out[i] = (int4)(ilogb(in[i]), ilogb((double)in[i]), FP_ILOGB0, FP_ILOGBNAN);
        }";
    let got: Vec<[i32; 4]> = map(source, &input);
    let [_, _, of_zero, of_nan] = got[0];
    let right = [of_zero, of_zero, of_nan, i32::MAX];
    for (got, right) in got.into_iter().zip(right) {
        assert_eq!(got[..2], [right, right]);
    }
}

#[test]
fn periods_of_pi_are_exact_where_they_can_be() {
    let input: Vec<f32> = (-64..64).map(|i| i as f32 * 0.25).collect();
    let source = "kernel void k(global const float *in, global float4 *out) {
            size_t i = get_global_id(0);
            out[i] = (float4)(sinpi(in[i]), cospi(in[i]), tanpi(in[i]), in[i]);
        }";
    let results: Vec<[f32; 4]> = map(source, &input);
    for [sine, cosine, tangent, x] in results {
        let (right_sine, right_cosine) = (std::f64::consts::PI * f64::from(x)).sin_cos();
        assert!(
            (f64::from(sine) - right_sine).abs() < 1e-6,
            "sinpi({x}) = {sine}"
        );
        assert!(
            (f64::from(cosine) - right_cosine).abs() < 1e-6,
            "cospi({x}) = {cosine}"
        );
        if x.fract() == 0.0 {
            assert_eq!((sine, cosine.abs()), (0.0, 1.0), "{x}");
            assert_eq!(tangent, 0.0);
        }
        if x.fract().abs() == 0.5 {
            assert_eq!((sine.abs(), cosine), (1.0, 0.0), "{x}");
            assert!(tangent.is_infinite());
        }
    }
}

#[test]
fn integers_saturate_rotate_and_multiply() {
    let values = [0i32, 1, -1, 7, i32::MAX, i32::MIN, 0x1234_5678, -98_765];
    let pairs: Vec<[i32; 2]> = values
        .iter()
        .flat_map(|&a| values.map(|b| [a, b]))
        .collect();
    let source = "kernel void k(global const int2 *in, global int8 *out) {
            size_t i = get_global_id(0);
            int a = in[i].x, b = in[i].y;
            out[i] = (int8)(add_sat(a, b), sub_sat(a, b), mul_hi(a, b), rotate(a, b),
                            hadd(a, b), rhadd(a, b), (int)abs_diff(a, b), clz(a));
        }";
    let results: Vec<[i32; 8]> = map(source, &pairs);
    for ([a, b], got) in pairs.into_iter().zip(results) {
        let (wide_a, wide_b) = (i64::from(a), i64::from(b));
        let right = [
            a.saturating_add(b),
            a.saturating_sub(b),
            ((wide_a * wide_b) >> 32) as i32,
            a.rotate_left(b as u32 & 31),
            ((wide_a + wide_b) >> 1) as i32,
            ((wide_a + wide_b + 1) >> 1) as i32,
            a.abs_diff(b) as i32,
            a.leading_zeros() as i32,
        ];
        assert_eq!(got, right, "{a} {b}");
    }
}

#[test]
fn conversions_saturate_and_round_as_their_names_say() {
    let input = [
        0.0f32,
        -0.5,
        0.5,
        1.5,
        2.5,
        -1.5,
        126.5,
        127.5,
        128.0,
        -128.5,
        -129.0,
        300.7,
        1e20,
        -1e20,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        0.999,
        -0.001,
    ];
    let source = "kernel void k(global const float *in, global int8 *out) {
            size_t i = get_global_id(0);
            float x = in[i];
            out[i] = (int8)(convert_char_sat(x), convert_char_sat_rte(x), convert_char_sat_rtp(x),
                convert_char_sat_rtn(x), convert_uchar_sat(x), convert_int_sat(x),
                as_int(convert_float_rtz(33554433)), as_int(convert_float_rtp(33554433)));
        }";
    let results: Vec<[i32; 8]> = map(source, &input);
    for (x, got) in input.into_iter().zip(results) {
        let right = [
            i32::from(x as i8),
            i32::from(x.round_ties_even() as i8),
            i32::from(x.ceil() as i8),
            i32::from(x.floor() as i8),
            i32::from(x as u8),
            x as i32,
            33_554_432f32.to_bits() as i32,
            33_554_436f32.to_bits() as i32,
        ];
        assert_eq!(got, right, "{x}");
    }
}

#[test]
fn halves_are_rounded_to_nearest_even_and_back() {
    let input: Vec<u32> = (0..65_536 / 16).map(|i| i * 16 + i % 16).collect();
    let source = "kernel void k(global const uint *in, global uint *out) {
            size_t i = get_global_id(0);
            ushort bits = in[i];
            half *place = (half *)&bits;
            float wide = vload_half(0, place);
            vstore_half(wide, 0, place);
            uint back = bits;
            vstore_half_rtz(wide * (1.0f + 0x1p-12f), 0, place);
            out[i] = back | (uint)bits << 16;
        }";
    let results: Vec<u32> = map(source, &input);
    for (bits, got) in input.into_iter().zip(results) {
        if bits & 0x7c00 == 0x7c00 && bits & 0x3ff != 0 {
            assert_eq!(got & 0x7c00, 0x7c00, "a NaN stays one");
            continue;
        }
        assert_eq!((got & 0xffff, got >> 16), (bits, bits), "{bits:#x}");
    }
}

#[test]
fn vectors_are_loaded_stored_and_shuffled() {
    let input: Vec<i32> = (0..64).collect();
    let source = "kernel void k(global const int *in, global int *out) {
            size_t i = get_global_id(0);
            if (i >= 4) return;
            int3 three = vload3(i, in + 1);
            int4 four = vload4(i, in + 3);
            four = shuffle2(four, (int4)(three, 100), (uint4)(7, 0, 5, 2));
            vstore3(four.xyz, i, out + 1);
            out[40 + i] = four.w + dot((float2)(1, 2), (float2)(three.x, three.y));
        }";
    let got: Vec<i32> = map(source, &input);
    for i in 0..4 {
        let three = 1 + 3 * i;
        let four = 3 + 4 * i;
        assert_eq!(
            got[1 + 3 * i..4 + 3 * i],
            [100, four as i32, three as i32 + 1]
        );
        assert_eq!(got[40 + i] as usize, four + 2 + three + 2 * (three + 1));
    }
}
