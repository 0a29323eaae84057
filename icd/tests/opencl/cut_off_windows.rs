//! Windows around each work-item that the ends of a row cut off, of all widths and in each form of a loop's condition.

use crate::session::{Session, ok};
use cl_sys::cl_kernel;
use std::ptr::null_mut;

/// Elements of a row.
const WIDTH: i32 = 70;

/// `FIRST` and `CONDITION` are the ends of a window of `width` elements.
const KERNEL: &str = "
kernel void sums(global const int *x, global int *results, int width, int radius) {
    int i = get_global_id(0);
    int sum = 3, product = 1, places = 0;
    for (int j = FIRST; CONDITION; j++) {
        sum += x[j];
        product = product * 3 + x[j];
        if (x[j] == 7)
            places ^= j;
    }
    results[3 * i] = sum;
    results[3 * i + 1] = product;
    results[3 * i + 2] = places;
}

kernel void loops_within(global const int *x, global int *results, int width, int radius) {
    int i = get_global_id(0);
    int sum = 3, product = 1, places = 0;
    for (int j = FIRST; CONDITION; j++) {
        int element = x[j];
        sum += element;
        product = product * 3 + element;
        for (int k = 6; k < element; k += 2)
            if (k == 6)
                places ^= j;
        if (element == 7)
            continue;
        for (int k = 7; k < element; k++)
            places ^= k == 7 ? j : 0;
    }
    results[3 * i] = sum;
    results[3 * i + 1] = product;
    results[3 * i + 2] = places;
}
";

/// The ends of a window, as a kernel's `FIRST` and `CONDITION` have them.
struct Ends {
    first: &'static str,
    condition: &'static str,
    of_item: fn(i32, i32) -> std::ops::Range<i32>,
}

const ENDS: [Ends; 5] = [
    Ends {
        first: "max(i - radius, 0)",
        condition: "j <= min(i + radius, width - 1)",
        of_item: |i, radius| (i - radius).max(0)..(i + radius).min(WIDTH - 1) + 1,
    },
    Ends {
        first: "max(0, i - radius)",
        condition: "j < min(width, i + radius)",
        of_item: |i, radius| (i - radius).max(0)..(i + radius).min(WIDTH),
    },
    Ends {
        first: "max(2 * i - radius, 5)",
        condition: "j < min(2 * i + 3, width - 2)",
        of_item: |i, radius| (2 * i - radius).max(5)..(2 * i + 3).min(WIDTH - 2),
    },
    Ends {
        first: "i",
        condition: "j < min(i + radius, width)",
        of_item: |i, radius| i..(i + radius).min(WIDTH),
    },
    Ends {
        first: "max(i - radius, 3)",
        condition: "j <= i",
        of_item: |i, radius| (i - radius).max(3)..i + 1,
    },
];

#[test]
fn windows_are_cut_off() {
    let session = Session::open();
    let x: Vec<i32> = (0..WIDTH).map(|number| number * 37 % 11).collect();
    let kernels = ["sums", "loops_within"];
    for (ends, name) in ENDS
        .iter()
        .flat_map(|ends| kernels.map(|name| (ends, name)))
    {
        let source = KERNEL.replace("FIRST", ends.first);
        let source = source.replace("CONDITION", ends.condition);
        let program = session.built_with(&source, "");
        for radius in [0, 1, 4, 33, 69, 1000, i32::MAX - 200, -1, -5] {
            for local in [None, Some([10].as_slice()), Some([70].as_slice())] {
                let kernel = session.kernel_of(program, name);
                let expected: Vec<i32> = (0..WIDTH)
                    .flat_map(|i| of_window(&x, (ends.of_item)(i, radius)))
                    .collect();
                assert!(
                    results(&session, kernel, &x, radius, local) == expected,
                    "{name}: {} to {}, radius {radius}, groups of {local:?}",
                    ends.first,
                    ends.condition
                );
            }
        }
    }
}

#[test]
fn windows_within_windows_are_cut_off() {
    const SOURCE: &str = "
kernel void sums(global const int *x, global int *results, int width, int radius) {
    int i = get_global_id(0), sum = 0;
    for (int j = max(i - radius, 0); j <= min(i + radius, width - 1); j++) {
        sum = sum * 3 + x[j];
        for (int k = max(i - x[i], 0); k <= min(i + 2, width - 1); k++)
            sum = sum * 5 + x[k];
        for (int k = max(j - 2, 0); k <= min(j + 2, width - 1); k++)
            sum = sum * 7 + x[k];
        for (int k = max(i - 2, 0); k <= min(i + 2, width - 1); k++)
            sum = sum * 9 + x[k] + j;
    }
    results[i] = sum;
}
";
    let session = Session::open();
    let x: Vec<i32> = (0..WIDTH).map(|number| number * 37 % 11).collect();
    let kernel = session.kernel_of(session.built_with(SOURCE, ""), "sums");
    let radius = 5;
    let elements = |first: i32, last: i32| first.max(0)..=last.min(WIDTH - 1);
    let expected: Vec<i32> = (0..WIDTH)
        .map(|i| {
            let of = |j: i32| x[j as usize];
            let mut sum = 0i32;
            let mut add = |factor, number: i32| sum = sum.wrapping_mul(factor).wrapping_add(number);
            for j in elements(i - radius, i + radius) {
                add(3, of(j));
                elements(i - of(i), i + 2).for_each(|k| add(5, of(k)));
                elements(j - 2, j + 2).for_each(|k| add(7, of(k)));
                elements(i - 2, i + 2).for_each(|k| add(9, of(k) + j));
            }
            sum
        })
        .collect();
    let computed = results(&session, kernel, &x, radius, None);
    assert_eq!(computed[..WIDTH as usize], expected);
}

#[test]
fn loops_that_run_at_least_once_do() {
    const SOURCE: &str = "
kernel void sums(global const int *x, global int *results, int width, int radius) {
    int i = get_global_id(0);
    int j = max(i - radius, 0), sum = 0;
    do
        sum = sum * 3 + x[j];
    while (++j < min(i + radius, width));
    results[i] = sum;
}
";
    let session = Session::open();
    let x: Vec<i32> = (0..2 * WIDTH).map(|number| number * 37 % 11).collect();
    let program = session.built_with(SOURCE, "");
    let kernel = session.kernel_of(program, "sums");
    for radius in [-50, -1, 0, 1, 3, 70] {
        let expected: Vec<i32> = (0..WIDTH)
            .map(|i| {
                let first = (i - radius).max(0);
                let end = (i + radius).min(WIDTH).max(first + 1);
                let next = |sum: i32, j: i32| sum.wrapping_mul(3).wrapping_add(x[j as usize]);
                (first..end).fold(0, next)
            })
            .collect();
        let computed = results(&session, kernel, &x, radius, None);
        assert_eq!(computed[..WIDTH as usize], expected, "radius {radius}");
    }
}

/// What a kernel computes of `x` for windows of a radius, up to three numbers for each work-item.
fn results(
    session: &Session,
    kernel: cl_kernel,
    x: &[i32],
    radius: i32,
    local: Option<&[usize]>,
) -> Vec<i32> {
    let results = session.buffer(&[0i32; 3 * WIDTH as usize]);
    ok(session.set(kernel, 0, &session.buffer(x)));
    ok(session.set(kernel, 1, &results));
    ok(session.set(kernel, 2, &WIDTH));
    ok(session.set(kernel, 3, &radius));
    let global = [WIDTH as usize];
    ok(session.launch(session.queue, kernel, &global, local, &[], null_mut()));
    session.read(results, 3 * WIDTH as usize)
}

/// The results of a window.
fn of_window(x: &[i32], window: std::ops::Range<i32>) -> [i32; 3] {
    let (mut sum, mut product, mut places) = (3i32, 1i32, 0);
    for j in window {
        let element = x[j as usize];
        sum += element;
        product = product.wrapping_mul(3).wrapping_add(element);
        if element == 7 {
            places ^= j;
        }
    }
    [sum, product, places]
}
