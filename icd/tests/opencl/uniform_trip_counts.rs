//! Loops that all work-items execute equally often, each from a start of its own.

use crate::session::{Session, ok};
use std::ptr::null_mut;

const ITEMS: usize = 128;

/// Elements before those that the first work-item of most kernels reads.
const BEFORE: usize = 40;

/// Each kernel computes a number that depends on the order of the elements.
const LOOPS: &str = "
#define LOOP(NAME, T, START, AGAIN)                                             \\
  kernel void NAME(global const uint *a, global uint *orders, int m) {         \\
    T i = get_global_id(0), j = START;                                          \\
    uint order = 7;                                                             \\
    for (; AGAIN; j++)                                                          \\
      order = order * 31 + a[j + 40];                                           \\
    orders[get_global_id(0)] = order;                                           \\
  }
#define LOOPS(T)                                    \\
  LOOP(T##_rows, T, i * m, j < (T)((i + 1) * m))    \\
  LOOP(T##_sum, T, i * 3, j < (T)(i * 3 + m))       \\
  LOOP(T##_until, T, i * m, j != (T)(i * m + m))    \\
  LOOP(T##_inclusive, T, i, j <= (T)(i + m))
LOOPS(int)
LOOPS(uint)
LOOPS(long)
LOOPS(ulong)
kernel void window(global const uint *a, global uint *orders, int m) {
  int i = get_global_id(0);
  uint order = 7;
  for (int j = i - m; j <= i + m; j++)
    order = order * 31 + a[j + 40];
  orders[i] = order;
}
";

/// The elements that a work-item reads, by the form of the loop.
fn read(form: &str, item: i64, m: i64) -> std::ops::Range<i64> {
    match form {
        "rows" | "until" => item * m..(item + 1) * m,
        "sum" => item * 3..item * 3 + m,
        "inclusive" => item..item + m + 1,
        _ => item - m..item + m + 1,
    }
}

#[test]
fn all_work_items_execute_all_iterations() {
    let session = Session::open();
    let program = session.built(LOOPS);
    let elements: Vec<u32> = (0..(BEFORE + ITEMS * 40) as u32)
        .map(|number| number.wrapping_mul(2_654_435_761))
        .collect();
    let forms = ["rows", "sum", "until", "inclusive"];
    let counters = ["int", "uint", "long", "ulong"];
    let names = counters.iter().flat_map(|counter| {
        forms
            .iter()
            .map(move |form| (format!("{counter}_{form}"), *form))
    });
    for (name, form) in names.chain([("window".to_owned(), "window")]) {
        let kernel = session.kernel_of(program, &name);
        for m in [0, 1, 5, 16, 17, 38] {
            let expected: Vec<u32> = (0..ITEMS as i64)
                .map(|item| {
                    let read =
                        read(form, item, m).map(|at| elements[(at + BEFORE as i64) as usize]);
                    read.fold(7u32, |order, next| {
                        order.wrapping_mul(31).wrapping_add(next)
                    })
                })
                .collect();
            let orders = session.buffer(&[0u32; ITEMS]);
            for (index, buffer) in (0..).zip([session.buffer(&elements), orders]) {
                ok(session.set(kernel, index, &buffer));
            }
            ok(session.set(kernel, 2, &(m as i32)));
            let (queue, sizes) = (session.queue, [ITEMS]);
            ok(session.launch(queue, kernel, &sizes, Some(&[64]), &[], null_mut()));
            assert_eq!(session.read::<u32>(orders, ITEMS), expected, "{name} {m}");
        }
    }
}
