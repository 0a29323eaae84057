//! Loops in which each work-item stores a row of its own, of which vector code stores several elements at once. Rows of a
//! work-item may overlap, so that it loads what it has stored.

use crate::session::{Session, ok};
use cl_sys::clReleaseMemObject;
use std::ptr::null_mut;

const GROUP: usize = 64;

/// Work-items of a launch. The last ones have no row, so that a vector has lanes without.
const ITEMS: usize = 2 * GROUP;

const ROWS: usize = ITEMS - 5;

/// Elements from one work-item's rows to the next one's.
const PITCH: usize = 200;

/// Where the rows of a work-item may begin.
const ORIGIN: usize = 60;

/// `NAME_BODY` has a loop of the form `NAME` with the statements `BODY`. In these, `S` and `D` are the elements of the rows
/// that begin at `from` and `to`, and `L` is the one before `D` in the loop's order.
const LOOPS: &str = "
#define S row[from + J]
#define D row[to + J]
#define L row[to + J - STEP]
#define LOOP(NAME, BODY, T, STATEMENTS, ...)                                             \\
  kernel void T##_##NAME##_##BODY(global T *a, int rows, int pitch, int from, int to, int n) { \\
    int i = get_global_id(0);                                                            \\
    if (i >= rows)                                                                       \\
      return;                                                                            \\
    global T *row = a + i * pitch;                                                       \\
    T sum = 7;                                                                           \\
    for (__VA_ARGS__) {                                                                         \\
      STATEMENTS                                                                         \\
    }                                                                                    \\
    row[0] = sum;                                                                        \\
  }
#define BODIES(NAME, T, ...)                                           \\
  LOOP(NAME, map, T, D = S * 3 + 1;, __VA_ARGS__)                             \\
  LOOP(NAME, prefix, T, sum = sum * 31 + S; D = sum;, __VA_ARGS__)            \\
  LOOP(NAME, recurrence, T, D = S * 3 + L;, __VA_ARGS__)                      \\
  LOOP(NAME, behind, T, D = sum; sum = sum * 31 + S;, __VA_ARGS__)            \\
  LOOP(NAME, fill, T, sum = sum * 31 + 5; D = sum;, __VA_ARGS__)              \\
  LOOP(NAME, both, T, sum += S; D = sum; S = sum * 3;, __VA_ARGS__)
";

const UPWARDS: &str = "
#define J j
#define STEP 1
#define FORMS(T)                                \\
  BODIES(up, T, int j = 0; j < n; j++)          \\
  BODIES(long_up, T, long j = 0; j != n; j++)
";

const DOWNWARDS: &str = "
#define J (int)j
#define STEP -1
#define FORMS(T)                                \\
  BODIES(down, T, int j = n - 1; j >= 0; j--)   \\
  BODIES(until, T, uint j = n; j-- > 0;)        \\
  BODIES(long_down, T, long j = n - 1; j > -1; --j) \\
  BODIES(mirrored, T, int k = 0, j = n - 1; k < n; k++, j = n - 1 - k)
";

/// The statements of a body, with the numbers of the elements `S`, `D` and `L`.
type Body = fn(row: &mut [u64], sum: &mut u64, [usize; 3]);

const BODIES: [(&str, Body); 6] = [
    ("map", |row, _, [s, d, _]| {
        row[d] = row[s].wrapping_mul(3).wrapping_add(1);
    }),
    ("prefix", |row, sum, [s, d, _]| {
        *sum = sum.wrapping_mul(31).wrapping_add(row[s]);
        row[d] = *sum;
    }),
    ("recurrence", |row, _, [s, d, l]| {
        row[d] = row[s].wrapping_mul(3).wrapping_add(row[l]);
    }),
    ("behind", |row, sum, [s, d, _]| {
        row[d] = *sum;
        *sum = sum.wrapping_mul(31).wrapping_add(row[s]);
    }),
    ("fill", |row, sum, [_, d, _]| {
        *sum = sum.wrapping_mul(31).wrapping_add(5);
        row[d] = *sum;
    }),
    ("both", |row, sum, [s, d, _]| {
        *sum = sum.wrapping_add(row[s]);
        row[d] = *sum;
        row[s] = sum.wrapping_mul(3);
    }),
];

/// From the row that is loaded to the one that is stored.
const DISTANCES: [isize; 13] = [0, 1, -1, 2, -2, 3, 14, 15, 16, -15, -16, 40, -40];

const LENGTHS: [usize; 7] = [0, 1, 15, 16, 17, 32, 55];

/// What the elements are after a loop over numbers in their order.
fn expected(elements: &[u64], body: Body, to: usize, order: &[usize], step: isize) -> Vec<u64> {
    let mut all = elements.to_vec();
    for row in all.chunks_mut(PITCH).take(ROWS) {
        let mut sum = 7;
        for &j in order {
            let stored = to + j;
            body(
                row,
                &mut sum,
                [ORIGIN + j, stored, stored.wrapping_add_signed(-step)],
            );
        }
        row[0] = sum;
    }
    all
}

/// Runs the kernels whose counters have that step, with elements of a type, of which `of` makes one of a number.
fn rows_are_stored<T: Copy + Default + PartialEq>(step: isize, name: &str, of: fn(u64) -> T) {
    let session = Session::open();
    let (directed, forms): (&str, &[&str]) = match step {
        1 => (UPWARDS, &["up", "long_up"]),
        _ => (DOWNWARDS, &["down", "until", "long_down", "mirrored"]),
    };
    let program = session.built(&format!("{LOOPS}{directed}FORMS({name})\n"));
    let numbers: Vec<u64> = (0..(ITEMS * PITCH) as u64)
        .map(|number| number.wrapping_mul(2_654_435_761))
        .collect();
    let elements: Vec<T> = numbers.iter().map(|number| of(*number)).collect();
    for (form, (body, run)) in forms
        .iter()
        .flat_map(|form| BODIES.map(|body| (form, body)))
    {
        let kernel = session.kernel_of(program, &format!("{name}_{form}_{body}"));
        for (distance, length) in DISTANCES
            .into_iter()
            .flat_map(|distance| LENGTHS.map(|length| (distance, length)))
        {
            let to = ORIGIN.wrapping_add_signed(distance);
            let buffer = session.buffer(&elements);
            ok(session.set(kernel, 0, &buffer));
            let numbers_of_loop = [ROWS, PITCH, ORIGIN, to, length];
            for (index, number) in (1..).zip(numbers_of_loop) {
                ok(session.set(kernel, index, &(number as i32)));
            }
            ok(session.launch(
                session.queue,
                kernel,
                &[ITEMS],
                Some(&[GROUP]),
                &[],
                null_mut(),
            ));
            let mut order: Vec<usize> = (0..length).collect();
            if step < 0 {
                order.reverse();
            }
            let expected = expected(&numbers, run, to, &order, step);
            let expected: Vec<T> = expected.into_iter().map(of).collect();
            let found = session.read::<T>(buffer, elements.len());
            // SAFETY: the buffer is not used any more.
            ok(unsafe { clReleaseMemObject(buffer) });
            assert!(
                found == expected,
                "{name} {form} {body} {distance} {length}"
            );
        }
    }
}

#[test]
fn rows_are_stored_upwards() {
    rows_are_stored::<u32>(1, "uint", |number| number as u32);
    rows_are_stored::<u64>(1, "ulong", |number| number);
    rows_are_stored::<u16>(1, "ushort", |number| number as u16);
    rows_are_stored::<u8>(1, "uchar", |number| number as u8);
}

#[test]
fn rows_are_stored_downwards() {
    rows_are_stored::<u32>(-1, "uint", |number| number as u32);
    rows_are_stored::<u64>(-1, "ulong", |number| number);
    rows_are_stored::<u16>(-1, "ushort", |number| number as u16);
    rows_are_stored::<u8>(-1, "uchar", |number| number as u8);
}
