//! Windows around each work-item that the ends of a row cut off, of all widths and in each form of a loop's condition.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// Elements of a row.
const WIDTH: i32 = 70;

/// `FIRST` and `LAST` are the ends of a window in a row of `width` elements.
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
    for ends in &ENDS {
        let source = KERNEL.replace("FIRST", ends.first);
        let source = source.replace("CONDITION", ends.condition);
        let program = session.built_with(&source, "");
        for radius in [0, 1, 4, 33, 69, 1000, i32::MAX - 200, -1, -5] {
            for local in [None, Some([10].as_slice()), Some([70].as_slice())] {
                let kernel = session.kernel_of(program, "sums");
                let results = session.buffer(&[0i32; 3 * WIDTH as usize]);
                ok(session.set(kernel, 0, &session.buffer(&x)));
                ok(session.set(kernel, 1, &results));
                ok(session.set(kernel, 2, &WIDTH));
                ok(session.set(kernel, 3, &radius));
                let global = [WIDTH as usize];
                ok(session.launch(session.queue, kernel, &global, local, &[], null_mut()));
                let expected: Vec<i32> = (0..WIDTH)
                    .flat_map(|i| of_window(&x, (ends.of_item)(i, radius)))
                    .collect();
                assert!(
                    session.read::<i32>(results, expected.len()) == expected,
                    "{} to {}, radius {radius}, groups of {local:?}",
                    ends.first,
                    ends.condition
                );
            }
        }
    }
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
