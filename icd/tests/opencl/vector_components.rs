//! OpenCL vectors that kernels combine element by element, and by single components: vector code keeps them as they lie in memory
//! where that is possible.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// Work-items of a launch; a vector has lanes without.
const ITEMS: usize = 75;

/// Vectors that a work-item combines.
const STEPS: usize = 5;

/// Components of `V`, vectors of `COUNT` elements of type `T`.
const KERNELS: &str = "
kernel void sums(global const V *a, global const V *b, global V *results) {
    int i = get_global_id(0);
    V sum = (T)1;
    for (int step = 0; step < STEPS; step++) {
        V x = a[step * ITEMS + i];
        sum = sum * x + b[i];
        sum.y -= (T)step;
    }
    results[i] = sum;
}
kernel void swapped(global const V *a, global const V *b, global V *results) {
    int i = get_global_id(0);
    V x = a[i] + b[i];
    V y = x;
    y.xy = x.yx;
    results[i] = y * x.y + b[i];
}
kernel void mirrored(global const V *a, global const V *b, global V *results) {
    int i = get_global_id(0);
    V x = a[i] + b[i];
    V y = x;
    y.xy = x.yx;
    results[i] = x * y + x;
}
kernel void chosen(global const V *a, global const V *b, global V *results) {
    int i = get_global_id(0);
    V x = a[i], y = b[i];
    if (x.x > y.y)
        x += y;
    results[i] = i % 3 == 0 ? x : x * y;
}
";

/// What each kernel computes of a work-item's vectors of `STEPS` rows of `a`, and of `b`.
fn expected(kernel: &str, item: usize, a: &[[i64; 4]], b: [i64; 4]) -> [i64; 4] {
    let mut x = a[0];
    match kernel {
        "sums" => {
            let mut sum = [1; 4];
            for (step, x) in a.iter().enumerate() {
                sum = std::array::from_fn(|k| sum[k] * x[k] + b[k]);
                sum[1] -= step as i64;
            }
            sum
        }
        "swapped" => {
            x = std::array::from_fn(|k| x[k] + b[k]);
            let y = [x[1], x[0], x[2], x[3]];
            std::array::from_fn(|k| y[k] * x[1] + b[k])
        }
        "mirrored" => {
            x = std::array::from_fn(|k| x[k] + b[k]);
            let y = [x[1], x[0], x[2], x[3]];
            std::array::from_fn(|k| x[k] * y[k] + x[k])
        }
        _ => {
            if x[0] > b[1] {
                x = std::array::from_fn(|k| x[k] + b[k]);
            }
            match item % 3 {
                0 => x,
                _ => std::array::from_fn(|k| x[k] * b[k]),
            }
        }
    }
}

fn components_are_right<T: Copy + Default + PartialEq>(name: &str, of: fn(i64) -> T) {
    let session = Session::open();
    let number = |k: usize| (k * 7 % 11) as i64;
    for count in [2, 4] {
        let options =
            format!("-DT={name} -DV={name}{count} -DCOUNT={count} -DSTEPS={STEPS} -DITEMS={ITEMS}");
        let program = session.built_with(KERNELS, &options);
        let vector = |first: usize| -> [i64; 4] { std::array::from_fn(|k| number(first * 4 + k)) };
        let elements = |vectors: &[[i64; 4]]| -> Vec<T> {
            let elements = vectors.iter().flat_map(|vector| &vector[..count]);
            elements.map(|element| of(*element)).collect()
        };
        let a: Vec<[i64; 4]> = (0..STEPS * ITEMS).map(vector).collect();
        let b: Vec<[i64; 4]> = (0..ITEMS).map(|item| vector(item + 3)).collect();
        for name_of_kernel in ["sums", "swapped", "mirrored", "chosen"] {
            let kernel = session.kernel_of(program, name_of_kernel);
            let results = session.buffer(&vec![T::default(); ITEMS * count]);
            ok(session.set(kernel, 0, &session.buffer(&elements(&a))));
            ok(session.set(kernel, 1, &session.buffer(&elements(&b))));
            ok(session.set(kernel, 2, &results));
            ok(session.launch(session.queue, kernel, &[ITEMS], None, &[], null_mut()));
            let of_item = |item: usize| {
                let rows: Vec<[i64; 4]> = (0..STEPS).map(|step| a[step * ITEMS + item]).collect();
                expected(name_of_kernel, item, &rows, b[item])
            };
            let expected: Vec<[i64; 4]> = (0..ITEMS).map(of_item).collect();
            assert!(
                session.read::<T>(results, ITEMS * count) == elements(&expected),
                "{name_of_kernel}, {name}{count}"
            );
        }
    }
}

#[test]
fn components_of_vectors_are_combined() {
    components_are_right("float", |number| number as f32);
    components_are_right("double", |number| number as f64);
    components_are_right("int", |number| number as i32);
    components_are_right("short", |number| number as i16);
}
