//! Results, compared with other formulas and with values computed by hand.

use crate::function::Operand;
use crate::table::find;
use std::f64::consts::PI;

fn random(count: usize, seed: u64) -> Vec<f32> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count).map(|_| random.f32() * 2.0 - 1.0).collect()
}

/// The operands after a call; the sizes are checked as a caller does.
fn call(name: &str, mut operands: Vec<Operand>) -> Vec<Operand> {
    let function = find(name).unwrap();
    assert_eq!(operands.len(), function.arguments.len());
    for (argument, operand) in function.arguments.iter().zip(&operands) {
        if let Operand::Size(size) = operand {
            argument.check_size(*size).unwrap();
        }
    }
    let sizes = operands.clone();
    function.compute(&mut operands);
    let size = |name: &str| {
        let place = function.arguments.iter().position(|one| one.name == name)?;
        match sizes[place] {
            Operand::Size(size) => Some(size),
            _ => None,
        }
    };
    for (argument, operand) in function.arguments.iter().zip(&operands) {
        let bytes = match operand {
            Operand::Array(array) => size_of_val(array.as_slice()),
            Operand::Doubles(array) => size_of_val(array.as_slice()),
            Operand::Size(_) | Operand::Number(_) => continue,
        };
        assert_eq!(
            bytes as u64,
            argument.bytes(&size),
            "{name}: {}",
            argument.name
        );
    }
    operands
}

fn read(operand: &Operand) -> &[f32] {
    match operand {
        Operand::Array(array) => array,
        _ => panic!("no array"),
    }
}

fn input(values: &[f32]) -> Operand {
    Operand::Array(values.to_vec())
}

fn output(count: usize) -> Operand {
    Operand::Array(vec![f32::NAN; count])
}

fn assert_near(found: &[f32], expected: impl IntoIterator<Item = f64>, what: &str) {
    let expected: Vec<f64> = expected.into_iter().collect();
    assert_eq!(found.len(), expected.len(), "{what}");
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let error = (f64::from(*found) - expected).abs();
        assert!(error <= 1e-5, "{what}[{place}] is {found}, not {expected}");
    }
}

#[test]
fn a_filter_responds_to_an_impulse_with_its_coefficients() {
    let h = random(16, 1);
    let mut x = vec![0.0; 40 + 15];
    x[15] = 1.0;
    let sizes = [Operand::Size(40), Operand::Size(16)];
    let [n, taps] = sizes;
    let after = call("real_fir", vec![input(&x), input(&h), output(40), n, taps]);
    let y = read(&after[2]);
    assert_eq!(y[..16], h[..]);
    assert!(y[16..].iter().all(|y| *y == 0.0));
}

#[test]
fn frames_with_history_are_filtered_as_one_signal() {
    let (h, x) = (random(5, 2), random(4 + 24, 3));
    let fir = |x: &[f32], n: usize| {
        let sizes = [Operand::Size(n as i64), Operand::Size(5)];
        let [n_size, taps] = sizes;
        let operands = vec![input(x), input(&h), output(n), n_size, taps];
        read(&call("real_fir", operands)[2]).to_vec()
    };
    let whole = fir(&x, 24);
    let parts = [fir(&x[..4 + 8], 8), fir(&x[8..], 16)].concat();
    assert_eq!(whole, parts);
}

#[test]
fn a_complex_filter_multiplies_complex_numbers() {
    // (1 + 2j) (3 + 4j) = -5 + 10j, and with the sample before: + 1j (1 - 1j) = 1 + 1j.
    let x = [1.0, -1.0, 3.0, 4.0];
    let h = [1.0, 2.0, 0.0, 1.0];
    let operands = vec![
        input(&x),
        input(&h),
        output(2),
        Operand::Size(1),
        Operand::Size(2),
    ];
    assert_eq!(read(&call("complex_fir", operands)[2]), [-4.0, 11.0]);
}

#[test]
fn an_adaptive_filter_finds_an_unknown_one() {
    let unknown = [0.5_f32, -0.25, 0.125, 1.0];
    let x = random(3 + 4000, 4);
    let desired: Vec<f32> = x
        .windows(4)
        .map(|window| {
            let newest_first = window.iter().rev();
            unknown.iter().zip(newest_first).map(|(h, x)| h * x).sum()
        })
        .collect();
    let after = call(
        "adaptive_fir",
        vec![
            input(&x),
            input(&desired),
            input(&[0.0; 4]),
            output(4000),
            output(4000),
            Operand::Number(0.1),
            Operand::Size(4000),
            Operand::Size(4),
        ],
    );
    assert_near(read(&after[2]), unknown.map(f64::from), "h");
    // By hand: the first sample, with coefficients of 0.
    assert_eq!(read(&after[3])[0], 0.0);
    assert_eq!(read(&after[4])[0], desired[0]);
}

#[test]
fn a_recursive_filter_follows_its_difference_equation() {
    let (n, x) = (64, random(64, 5));
    let c = [[0.2, 0.4, 0.2, -0.5, 0.3], [1.0_f32, -0.5, 0.1, 0.2, -0.1]];
    let expected = c
        .iter()
        .fold(x.iter().map(|x| f64::from(*x)).collect(), |x, c| {
            let x: Vec<f64> = x;
            let at =
                |list: &[f64], i: usize, back: usize| i.checked_sub(back).map_or(0.0, |i| list[i]);
            let mut y: Vec<f64> = Vec::new();
            for i in 0..n {
                let [b0, b1, b2, a1, a2] = c.map(f64::from);
                y.push(
                    b0 * x[i] + b1 * at(&x, i, 1) + b2 * at(&x, i, 2)
                        - a1 * at(&y, i, 1)
                        - a2 * at(&y, i, 2),
                );
            }
            y
        });
    let filter = |x: &[f32], state: &[f32]| {
        let operands = vec![
            input(x),
            input(&c.concat()),
            input(state),
            output(x.len()),
            Operand::Size(x.len() as i64),
            Operand::Size(2),
        ];
        let after = call("iir", operands);
        (read(&after[3]).to_vec(), read(&after[2]).to_vec())
    };
    let (first, state) = filter(&x[..40], &[0.0; 4]);
    let (second, _) = filter(&x[40..], &state);
    assert_near(&[first, second].concat(), expected, "y");
}

#[test]
fn vectors_have_sums_products_and_a_largest_element() {
    let (a, b) = ([1.0, -2.0, 3.0], [4.0, 5.0, 0.5]);
    let n = || Operand::Size(3);
    let added = call("vector_add", vec![input(&a), input(&b), output(3), n()]);
    assert_eq!(read(&added[2]), [5.0, 3.0, 3.5]);
    let product = call("vector_dot", vec![input(&a), input(&b), output(1), n()]);
    assert_eq!(read(&product[2]), [-4.5]);
    let of = |values: &[f32]| {
        let after = call("vector_max", vec![input(values), output(1), n()]);
        read(&after[1])[0]
    };
    assert_eq!(of(&a), 3.0);
    assert_eq!(of(&[-3.0, f32::NAN, -2.0]), -2.0);
    assert!(of(&[f32::NAN; 3]).is_nan());
}

#[test]
fn sums_are_rounded_once() {
    let (a, b) = ([1e8, 1.0, -1e8], [1.0, 1.0, 1.0]);
    let operands = vec![input(&a), input(&b), output(1), Operand::Size(3)];
    assert_eq!(read(&call("vector_dot", operands)[2]), [1.0]);
}

#[test]
fn a_fourier_transform_is_the_sum_that_defines_it() {
    let z = random(512, 6);
    let transform = |z: &[f32], inverse| {
        let after = call("fft_256", vec![input(z), Operand::Size(inverse)]);
        read(&after[0]).to_vec()
    };
    let expected = (0..256).flat_map(|k| {
        let mut sum = [0.0, 0.0];
        for i in 0..256 {
            let (sine, cosine) = (-2.0 * PI * (i * k % 256) as f64 / 256.0).sin_cos();
            let [re, im] = [f64::from(z[2 * i]), f64::from(z[2 * i + 1])];
            sum = [
                sum[0] + re * cosine - im * sine,
                sum[1] + re * sine + im * cosine,
            ];
        }
        sum
    });
    let transformed = transform(&z, 0);
    assert_near(&transformed, expected, "z");
    let back = transform(&transformed, 1);
    assert_near(&back, z.iter().map(|z| f64::from(*z)), "inverse");
}

#[test]
fn a_cosine_transform_is_orthonormal() {
    let transform = |x: &[f32], inverse| {
        let operands = vec![input(x), output(64), Operand::Size(inverse)];
        read(&call("dct_64", operands)[1]).to_vec()
    };
    // A constant has one coefficient, √64 of it.
    let mut expected = [0.0; 64];
    expected[0] = 8.0;
    assert_near(&transform(&[1.0; 64], 0), expected, "constant");
    // And so has the cosine of a row: √32.
    let cosine: Vec<f32> = (0..64)
        .map(|i| (PI * f64::from(2 * i + 1) * 5.0 / 128.0).cos() as f32)
        .collect();
    let mut expected = [0.0; 64];
    expected[5] = 32.0_f64.sqrt();
    assert_near(&transform(&cosine, 0), expected, "cosine");
    let x = random(64, 7);
    let back = transform(&transform(&x, 0), 1);
    assert_near(&back, x.iter().map(|x| f64::from(*x)), "inverse");
}

#[test]
fn a_correlation_is_largest_where_the_vectors_agree() {
    let b = random(40 + 15, 8);
    let a = &b[9..49];
    let operands = vec![
        input(a),
        input(&b),
        output(16),
        Operand::Size(40),
        Operand::Size(16),
    ];
    let after = call("correlation", operands);
    let r = read(&after[2]);
    let largest = (0..16).max_by(|i, k| r[*i].total_cmp(&r[*k]));
    assert_eq!(largest, Some(9));
    let energy = a.iter().map(|a| f64::from(*a).powi(2)).sum();
    assert_near(&r[9..10], [energy], "r");
}

#[test]
fn matrices_are_multiplied_in_double_precision() {
    // 1 + 2^-40 is no number of single precision.
    let tiny = 1.0 + 2.0_f64.powi(-40);
    let a = vec![1.0, 2.0, 3.0, 4.0, 5.0, tiny];
    let b = vec![1.0, 0.0, 0.0, 1.0, tiny, 2.0];
    let operands = vec![
        Operand::Doubles(a),
        Operand::Doubles(b),
        Operand::Doubles(vec![f64::NAN; 4]),
        Operand::Size(2),
        Operand::Size(3),
    ];
    let after = call("matrix_multiply", operands);
    let expected = vec![1.0 + 3.0 * tiny, 8.0, 4.0 + tiny * tiny, 5.0 + 2.0 * tiny];
    assert_eq!(after[2], Operand::Doubles(expected));
}
