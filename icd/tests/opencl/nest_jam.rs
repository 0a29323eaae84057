//! Loop nests of which compiled code executes several iterations of the outer loop at once.

use crate::session::{Session, made, ok};
use cl_sys::{CL_BUFFER_CREATE_TYPE_REGION, cl_kernel, cl_mem, clCreateSubBuffer};
use std::ptr::null_mut;

const GROUP: usize = 64;

/// Work-items of a launch. The last ones have no row, so that a vector has lanes without.
const ITEMS: usize = 2 * GROUP;

const ROWS: usize = ITEMS - 5;

/// Elements of a row.
const PITCH: usize = 64;

/// The column of a counter of zero, as in `NESTS`.
const ORIGIN: usize = 24;

/// A work-item stores a row of numbers, of which each depends on the order of the elements of a row of `a` and a column of `b`.
const NESTS: &str = "
#define PITCH 64
#define ORIGIN 24
#define NEST(NAME, C, FIRST, COMPARE, NUMBER)                                                          \\
  kernel void NAME(global const uint *a, global const uint *b, global uint *c, int rows, C first,      \\
                   C end, int length, int shift) {                                                     \\
    int i = get_global_id(0);                                                                          \\
    if (i >= rows)                                                                                     \\
      return;                                                                                          \\
    for (C j = FIRST; j COMPARE end; j++) {                                                            \\
      uint order = 7;                                                                                  \\
      for (int k = 0; k < length; k++)                                                                 \\
        order = order * 31 + a[i * PITCH + k] * b[k * PITCH + ORIGIN + NUMBER j];                      \\
      c[i * PITCH + ORIGIN + shift + NUMBER j] = order;                                                \\
    }                                                                                                  \\
  }
NEST(of_int, int, first, <, )
NEST(until, int, first, !=, )
NEST(of_uint, uint, first, <, (int))
NEST(wrapping, uint, first, !=, (int))
NEST(of_long, long, first, <, )
NEST(triangle, int, max(first, (int)(i % 11)), <, )
";

/// A kernel of `NESTS`.
struct Nest {
    name: &'static str,
    is_long: bool,
    /// First counters and bounds.
    ranges: &'static [(i64, i64)],
}

const fn nest(name: &'static str, is_long: bool, ranges: &'static [(i64, i64)]) -> Nest {
    Nest {
        name,
        is_long,
        ranges,
    }
}

const NESTS_OF: &[Nest] = &[
    nest(
        "of_int",
        false,
        &[
            (0, 0),
            (0, 1),
            (0, 3),
            (0, 4),
            (0, 5),
            (3, 30),
            (-20, 20),
            (-9, -1),
        ],
    ),
    nest("until", false, &[(0, 1), (0, 8), (2, 31), (-20, 20)]),
    nest("of_uint", false, &[(0, 0), (0, 4), (1, 32)]),
    nest("wrapping", false, &[(0, 33), (-20, 20), (-17, 0)]),
    nest("of_long", true, &[(0, 0), (0, 4), (1, 32), (-20, 3)]),
    nest("triangle", false, &[(0, 0), (0, 13), (5, 39)]),
];

impl Nest {
    /// The counters of a work-item.
    fn columns(&self, item: usize, (first, end): (i64, i64)) -> std::ops::Range<i64> {
        match self.name {
            "triangle" => first.max(item as i64 % 11)..end,
            _ => first..end,
        }
    }

    fn launch(
        &self,
        session: &Session,
        kernel: cl_kernel,
        buffers: [cl_mem; 3],
        (rows, range, length, shift): (usize, (i64, i64), i32, i32),
    ) {
        for (index, buffer) in (0..).zip(buffers) {
            ok(session.set(kernel, index, &buffer));
        }
        ok(session.set(kernel, 3, &(rows as i32)));
        for (index, value) in [(4, range.0), (5, range.1)] {
            match self.is_long {
                true => ok(session.set(kernel, index, &value)),
                false => ok(session.set(kernel, index, &(value as i32))),
            }
        }
        ok(session.set(kernel, 6, &length));
        ok(session.set(kernel, 7, &shift));
        let (queue, sizes) = (session.queue, [ITEMS]);
        ok(session.launch(queue, kernel, &sizes, Some(&[GROUP]), &[], null_mut()));
    }
}

fn column(j: i64) -> usize {
    ORIGIN.wrapping_add_signed(j as isize)
}

fn order(length: i32, elements: impl Fn(usize) -> (u32, u32)) -> u32 {
    (0..length as usize).fold(7u32, |order, k| {
        let (a, b) = elements(k);
        order.wrapping_mul(31).wrapping_add(a.wrapping_mul(b))
    })
}

fn elements(seed: u32) -> Vec<u32> {
    let count = (ITEMS * PITCH) as u32;
    (0..count)
        .map(|n| (n + seed).wrapping_mul(2_654_435_761))
        .collect()
}

#[test]
fn each_element_of_a_row_is_computed_in_order() {
    let session = Session::open();
    let program = session.built(NESTS);
    let (a, b) = (elements(1), elements(2));
    let [of_a, of_b] = [&a, &b].map(|elements| session.buffer(elements));
    for nest in NESTS_OF {
        let kernel = session.kernel_of(program, nest.name);
        let of_range = |range| [0, 1, 9].map(|length| (range, length));
        for (range, length) in nest.ranges.iter().copied().flat_map(of_range) {
            let mut expected = elements(3);
            let of_c = session.buffer(&expected);
            for item in 0..ROWS {
                for j in nest.columns(item, range) {
                    expected[item * PITCH + column(j)] =
                        order(length, |k| (a[item * PITCH + k], b[k * PITCH + column(j)]));
                }
            }
            nest.launch(
                &session,
                kernel,
                [of_a, of_b, of_c],
                (ROWS, range, length, 0),
            );
            let found = session.read::<u32>(of_c, expected.len());
            assert!(found == expected, "{} {range:?} {length}", nest.name);
        }
    }
}

/// A sub-buffer with all bytes of a buffer.
fn whole_part(buffer: cl_mem, size: usize) -> cl_mem {
    let region = [0, size];
    // SAFETY: the region is read during the call.
    made(|code| unsafe {
        let region = region.as_ptr().cast();
        clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, region, code)
    })
}

/// Each iteration stores what the next one loads.
#[test]
fn elements_that_later_iterations_load_are_stored_before() {
    const LENGTH: i32 = 5;
    let session = Session::open();
    let program = session.built(NESTS);
    let a = elements(1);
    let of_a = session.buffer(&a);
    for nest in NESTS_OF {
        let kernel = session.kernel_of(program, nest.name);
        for &range in nest.ranges {
            let before = elements(2);
            let mut expected = before.clone();
            for j in nest.columns(0, range) {
                expected[column(j) + 1] =
                    order(LENGTH, |k| (a[k], expected[k * PITCH + column(j)]));
            }
            let shared = session.buffer(&before);
            let sub_buffers = session.buffer(&before);
            let size = size_of_val(&before[..]);
            for [b, c] in [[shared; 2], [sub_buffers; 2].map(|of| whole_part(of, size))] {
                nest.launch(&session, kernel, [of_a, b, c], (1, range, LENGTH, 1));
                let found = session.read::<u32>(c, expected.len());
                assert!(found == expected, "{} {range:?}", nest.name);
            }
        }
    }
}
