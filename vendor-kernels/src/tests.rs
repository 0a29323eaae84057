//! Kernels are called as launches do, and compared with plain sums in double precision.

use crate::{ComputeError, RawOperand, all, find};
use built_in_kernels::{ArgumentKind, Element};
use half::f16;
use std::collections::BTreeMap;

type Arrays = BTreeMap<&'static str, Vec<f64>>;

/// The bytes of numbers of a type, aligned for any.
fn encoded(element: Element, numbers: &[f64]) -> Vec<u64> {
    let bytes: Vec<u8> = numbers
        .iter()
        .flat_map(|number| match element {
            Element::Half => f16::from_f64(*number).to_ne_bytes().to_vec(),
            Element::Single => (*number as f32).to_ne_bytes().to_vec(),
            Element::Double => number.to_ne_bytes().to_vec(),
            Element::Integer => (*number as i32).to_ne_bytes().to_vec(),
        })
        .collect();
    let mut words = vec![0u64; bytes.len().div_ceil(8)];
    bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(&bytes);
    words
}

fn decoded(element: Element, words: &[u64], count: usize) -> Vec<f64> {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    let size = element.bytes() as usize;
    bytes
        .chunks_exact(size)
        .take(count)
        .map(|bytes| match element {
            Element::Half => f16::from_ne_bytes(bytes.try_into().unwrap()).to_f64(),
            Element::Single => f32::from_ne_bytes(bytes.try_into().unwrap()).into(),
            Element::Double => f64::from_ne_bytes(bytes.try_into().unwrap()),
            Element::Integer => i32::from_ne_bytes(bytes.try_into().unwrap()).into(),
        })
        .collect()
}

/// Calls a kernel with sizes and numbers, and with arrays, which it changes.
fn call(name: &str, values: &[(&str, f64)], arrays: &mut Arrays) -> Result<(), ComputeError> {
    let kernel = find(name).unwrap();
    let declaration = kernel.declaration();
    let value = |wanted: &str| {
        let (_, value) = values.iter().find(|(name, _)| *name == wanted)?;
        Some(*value)
    };
    let size = |name: &str| value(name).map(|value| value as i64);
    declaration.check(&size).unwrap();
    let mut memories: Vec<Vec<u64>> = Vec::new();
    for argument in &declaration.arguments {
        memories.push(match argument.kind {
            ArgumentKind::Array { element, width, .. } => {
                let numbers = &arrays[argument.name.as_str()];
                let count = argument.bytes(&size) / element.bytes();
                assert_eq!(numbers.len() as u64, count, "{name}: {}", argument.name);
                assert_eq!(count % width, 0);
                encoded(element, numbers)
            }
            _ => Vec::new(),
        });
    }
    let operands: Vec<RawOperand> = declaration
        .arguments
        .iter()
        .zip(&mut memories)
        .map(|(argument, memory)| match argument.kind {
            ArgumentKind::Array { .. } => RawOperand::Array {
                start: memory.as_mut_ptr().cast(),
                bytes: argument.bytes(&size) as usize,
            },
            ArgumentKind::Size { .. } => RawOperand::Size(size(&argument.name).unwrap()),
            ArgumentKind::Number(_) => RawOperand::Number(value(&argument.name).unwrap()),
        })
        .collect();
    // SAFETY: the arrays have as many bytes as the declaration says, and are not used otherwise.
    unsafe { kernel.compute(&operands) }?;
    for (argument, memory) in declaration.arguments.iter().zip(memories) {
        if let ArgumentKind::Array { element, .. } = argument.kind {
            let array = arrays.get_mut(argument.name.as_str()).unwrap();
            *array = decoded(element, &memory, array.len());
        }
    }
    Ok(())
}

/// Small whole numbers, whose sums of products are exact in any precision.
fn numbers(count: usize) -> Vec<f64> {
    (0..count).map(|_| fastrand::i8(-2..=2).into()).collect()
}

fn assert_close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (place, (found, expected)) in found.iter().zip(expected).enumerate() {
        let close = (found - expected).abs() <= tolerance * expected.abs().max(1.0);
        assert!(close, "[{place}]: {found}, expected {expected}");
    }
}

/// Every kernel of the table runs with arrays of the sizes that it declares.
#[test]
fn all_kernels_run() {
    for kernel in all() {
        let declaration = kernel.declaration();
        let sizes = [
            ("m", 5),
            ("n", 4),
            ("k", 3),
            ("kl", 1),
            ("ku", 2),
            ("incx", -2),
            ("incy", 1),
            ("lda", 7),
            ("ldb", 7),
            ("ldc", 7),
            ("rows", 3),
            ("columns", 4),
            ("entries", 0),
            ("width", 2),
            ("nx", 6),
            ("ny", 5),
            ("nz", 4),
            ("batch", 2),
        ];
        let value = |name: &str| {
            let known = sizes.iter().find(|(known, _)| *known == name);
            known.map_or(1.0, |(_, value)| f64::from(*value))
        };
        let size = |name: &str| Some(value(name) as i64);
        let mut values = Vec::new();
        let mut arrays = Arrays::new();
        for argument in &declaration.arguments {
            let name: &'static str = argument.name.as_str();
            match argument.kind {
                ArgumentKind::Array { element, .. } => {
                    let count = argument.bytes(&size) / element.bytes();
                    let places = vec![0.0; count as usize];
                    let array = if element == Element::Integer {
                        places
                    } else {
                        vec![0.5; count as usize]
                    };
                    arrays.insert(name, array);
                }
                _ => values.push((name, value(name))),
            }
        }
        call(&declaration.name, &values, &mut arrays).unwrap();
    }
}

#[test]
fn products_of_matrices_are_sums_of_products() {
    for (name, [m, n, k]) in [
        ("hgemm", [3, 5, 4]),
        ("sgemm", [70, 33, 65]),
        ("dgemm", [300, 4, 50]),
        ("dgemm", [64, 200, 130]),
    ] {
        for (ta, tb, beta) in [(0, 0, 0.0), (1, 0, 1.0), (0, 1, -2.0), (1, 1, 0.0)] {
            let (lda, ldb, ldc) = (m.max(k) + 2, k.max(n) + 1, m + 3);
            let (ca, cb) = (if ta == 1 { m } else { k }, if tb == 1 { k } else { n });
            let (ra, rb) = (m + k - ca, k + n - cb);
            let old = if beta == 0.0 {
                vec![f64::NAN; ldc * (n - 1) + m]
            } else {
                numbers(ldc * (n - 1) + m)
            };
            let mut arrays = Arrays::from([
                ("a", numbers(lda * (ca - 1) + ra)),
                ("b", numbers(ldb * (cb - 1) + rb)),
                ("c", old.clone()),
            ]);
            let sizes = [
                ("transa", ta),
                ("transb", tb),
                ("m", m),
                ("n", n),
                ("k", k),
                ("lda", lda),
                ("ldb", ldb),
                ("ldc", ldc),
            ];
            let mut values = sizes.map(|(name, size)| (name, size as f64)).to_vec();
            values.extend([("alpha", 2.0), ("beta", beta)]);
            call(name, &values, &mut arrays).unwrap();
            let (a, b) = (&arrays["a"], &arrays["b"]);
            let at =
                |matrix: &[f64], stride: usize, transposed: usize, row: usize, column: usize| {
                    match transposed {
                        0 => matrix[column * stride + row],
                        _ => matrix[row * stride + column],
                    }
                };
            for column in 0..n {
                for row in 0..m {
                    let products =
                        (0..k).map(|i| at(a, lda, ta, row, i) * at(b, ldb, tb, i, column));
                    let mut expected = 2.0 * products.sum::<f64>();
                    if beta != 0.0 {
                        expected += beta * old[column * ldc + row];
                    }
                    assert_eq!(
                        arrays["c"][column * ldc + row],
                        expected,
                        "{name} {row} {column}"
                    );
                }
            }
            // Between columns, nothing is written.
            for (place, old) in old.iter().enumerate().filter(|(place, _)| place % ldc >= m) {
                assert!(arrays["c"][place] == *old || old.is_nan());
            }
        }
    }
}

/// A triangular product and the solution of its systems are inverse to each other, in each case.
#[test]
fn triangular_solutions_undo_products() {
    let (m, n) = (150, 70);
    for case in 0..16 {
        let flag = |bit: u32| f64::from(case >> bit & 1);
        let order = if case & 1 == 1 { n } else { m };
        // Well-conditioned: the diagonal is large.
        let mut a = numbers(order * order);
        a.iter_mut().for_each(|element| *element /= 64.0);
        (0..order).for_each(|i| a[i * order + i] = 3.0);
        let original = numbers(m * n);
        let mut arrays = Arrays::from([("a", a), ("b", original.clone())]);
        let values = |alpha: f64| {
            let sizes = [("m", m), ("n", n), ("lda", order), ("ldb", m)];
            let mut values = sizes.map(|(name, size)| (name, size as f64)).to_vec();
            values.extend([
                ("right", flag(0)),
                ("upper", flag(1)),
                ("transa", flag(2)),
                ("unit", flag(3)),
                ("alpha", alpha),
            ]);
            values
        };
        call("dtrmm", &values(2.0), &mut arrays).unwrap();
        assert_ne!(arrays["b"], original);
        call("dtrsm", &values(0.5), &mut arrays).unwrap();
        assert_close(&arrays["b"], &original, 1e-9);
    }
}

/// As the reference has it, B is 0 then, and nothing else is read.
#[test]
fn a_factor_of_zero_needs_no_matrix() {
    for name in ["strmm", "dtrsm"] {
        for right in [0.0, 1.0] {
            let mut arrays = Arrays::from([("a", vec![f64::NAN; 9]), ("b", vec![f64::NAN; 9])]);
            let mut values = ["upper", "transa", "unit", "alpha"]
                .map(|name| (name, 0.0))
                .to_vec();
            values.extend(["m", "n", "lda", "ldb"].map(|name| (name, 3.0)));
            values.push(("right", right));
            call(name, &values, &mut arrays).unwrap();
            assert_eq!(arrays["b"], [0.0; 9], "{name}");
        }
    }
}

/// One triangle of C is that of a product of matrices; the other one is not written.
#[test]
fn symmetric_updates_write_one_triangle() {
    let (n, k) = (150, 40);
    for (name, upper, trans) in [
        ("ssyrk", 0, 0),
        ("dsyrk", 1, 1),
        ("ssyr2k", 1, 0),
        ("dsyr2k", 0, 1),
    ] {
        let (rows, columns) = if trans == 1 { (k, n) } else { (n, k) };
        let old = numbers(n * n);
        let mut arrays = Arrays::from([
            ("a", numbers(rows * columns)),
            ("b", numbers(rows * columns)),
            ("c", old.clone()),
        ]);
        let sizes = [
            ("upper", upper),
            ("trans", trans),
            ("n", n),
            ("k", k),
            ("lda", rows),
            ("ldb", rows),
            ("ldc", n),
        ];
        let mut values = sizes.map(|(name, size)| (name, size as f64)).to_vec();
        values.extend([("alpha", 1.0), ("beta", 3.0)]);
        call(name, &values, &mut arrays).unwrap();
        let at = |matrix: &str, row: usize, i: usize| match trans {
            0 => arrays[matrix][i * n + row],
            _ => arrays[matrix][row * k + i],
        };
        for column in 0..n {
            for row in 0..n {
                let is_stored = if upper == 1 {
                    row <= column
                } else {
                    row >= column
                };
                let place = column * n + row;
                let product = |a: &str, b: &str| {
                    (0..k)
                        .map(|i| at(a, row, i) * at(b, column, i))
                        .sum::<f64>()
                };
                let products = match name.contains("2k") {
                    false => product("a", "a"),
                    true => product("a", "b") + product("b", "a"),
                };
                let expected = if is_stored {
                    products + 3.0 * old[place]
                } else {
                    old[place]
                };
                assert_eq!(arrays["c"][place], expected, "{name} {row} {column}");
            }
        }
    }
}

#[test]
fn norms_do_not_overflow() {
    for (x, expected) in [
        (vec![3e200, 4e200], 5e200),
        (vec![3e-200, 4e-200], 5e-200),
        (vec![0.0, 0.0], 0.0),
        (vec![3.0, 4.0], 5.0),
    ] {
        let mut arrays = Arrays::from([("x", x), ("r", vec![f64::NAN])]);
        call("dnrm2", &[("n", 2.0), ("incx", 1.0)], &mut arrays).unwrap();
        assert_close(&arrays["r"], &[expected], 1e-15);
    }
}

/// Rows of a matrix by columns lie between each other.
#[test]
fn interleaved_vectors_are_exchanged() {
    let mut memory: Vec<f64> = (0..12).map(f64::from).collect();
    let kernel = find("dswap").unwrap();
    let (x, y) = (memory.as_mut_ptr(), memory.as_mut_ptr().wrapping_add(1));
    let array = |start: *mut f64| RawOperand::Array {
        start: start.cast(),
        bytes: 10 * 8,
    };
    let operands = [
        RawOperand::Size(4),
        array(x),
        RawOperand::Size(3),
        array(y),
        RawOperand::Size(3),
    ];
    // SAFETY: the vectors end before the memory does.
    unsafe { kernel.compute(&operands) }.unwrap();
    assert_eq!(
        memory,
        [1.0, 0.0, 2.0, 4.0, 3.0, 5.0, 7.0, 6.0, 8.0, 10.0, 9.0, 11.0]
    );
}

#[test]
fn transforms_of_several_dimensions_are_sums_and_have_inverses() {
    let (nx, ny, nz) = (6, 5, 4);
    let original: Vec<f64> = (0..2 * 2 * nx * ny * nz).map(|_| fastrand::f64()).collect();
    let sizes = [("nx", nx), ("ny", ny), ("nz", nz), ("batch", 2)];
    for (name, tolerance) in [("cfft", 1e-4), ("zfft", 1e-12)] {
        let mut arrays = Arrays::from([("z", original.clone())]);
        let mut values = sizes.map(|(name, size)| (name, size as f64)).to_vec();
        values.push(("inverse", 0.0));
        call(name, &values, &mut arrays).unwrap();
        // An element of the second transform.
        let (kx, ky, kz, first) = (2, 3, 1, 2 * nx * ny * nz);
        let (mut re, mut im) = (0.0, 0.0);
        for z in 0..nz {
            for y in 0..ny {
                for x in 0..nx {
                    let turns = (kx * x) as f64 / nx as f64
                        + (ky * y) as f64 / ny as f64
                        + (kz * z) as f64 / nz as f64;
                    let (sin, cos) = (-2.0 * std::f64::consts::PI * turns).sin_cos();
                    let place = first + 2 * ((z * ny + y) * nx + x);
                    let (a, b) = (original[place], original[place + 1]);
                    re += a * cos - b * sin;
                    im += a * sin + b * cos;
                }
            }
        }
        let place = first + 2 * ((kz * ny + ky) * nx + kx);
        assert_close(&arrays["z"][place..place + 2], &[re, im], tolerance);
        values.pop();
        values.push(("inverse", 1.0));
        call(name, &values, &mut arrays).unwrap();
        assert_close(&arrays["z"], &original, tolerance);
    }
}

#[test]
fn sparse_products_and_their_errors() {
    // [[1, 0, 2], [0, 0, 0], [0, 3, 0]]
    let mut arrays = Arrays::from([
        ("values", vec![1.0, 2.0, 3.0]),
        ("places", vec![0.0, 2.0, 1.0]),
        ("starts", vec![0.0, 2.0, 2.0, 3.0]),
        ("x", vec![1.0, 10.0, 100.0]),
        ("y", vec![f64::NAN; 3]),
    ]);
    let values = [
        ("rows", 3.0),
        ("columns", 3.0),
        ("entries", 3.0),
        ("alpha", 1.0),
        ("beta", 0.0),
    ];
    call("dcsrmv", &values, &mut arrays).unwrap();
    assert_eq!(arrays["y"], [201.0, 0.0, 30.0]);
    arrays.insert("places", vec![0.0, 3.0, 1.0]);
    let error = call("dcsrmv", &values, &mut arrays)
        .unwrap_err()
        .to_string();
    assert_eq!(error, "places[1] is 3; the matrix has 3 columns");
    arrays.insert("starts", vec![0.0, 2.0, 1.0, 3.0]);
    let error = call("dcsrmv", &values, &mut arrays)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("starts[2] is 1"), "{error}");
    let mut arrays = Arrays::from([
        ("values", vec![1.0, 9.0, 3.0, 2.0, 9.0, 9.0]),
        ("places", vec![0.0, -1.0, 1.0, 2.0, -1.0, -1.0]),
        ("x", vec![1.0, 10.0, 100.0]),
        ("y", vec![1.0; 3]),
    ]);
    let values = [
        ("rows", 3.0),
        ("columns", 3.0),
        ("width", 2.0),
        ("alpha", 1.0),
        ("beta", 1.0),
    ];
    call("sellmv", &values, &mut arrays).unwrap();
    assert_eq!(arrays["y"], [202.0, 1.0, 31.0]);
    arrays.insert("places", vec![-2.0; 6]);
    assert!(call("sellmv", &values, &mut arrays).is_err());
}

#[test]
fn functions_are_rounded_once() {
    let x = vec![0.1f32.into(), 1.5, -2.25];
    let mut arrays = Arrays::from([("x", x.clone()), ("y", vec![0.0; 3]), ("z", vec![2.0; 3])]);
    call("vs_sin", &[("n", 3.0)], &mut arrays).unwrap();
    let expected: Vec<f64> = x.iter().map(|x| (x.sin() as f32).into()).collect();
    assert_eq!(arrays["y"], expected);
    call("vd_pow", &[("n", 3.0)], &mut arrays).unwrap();
    assert_close(&arrays["y"], &[0.01, 2.25, 5.0625], 1e-7);
}
