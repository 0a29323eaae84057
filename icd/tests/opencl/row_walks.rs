//! Loops in which each work-item walks along a row of its own, of which vector code loads several elements at once.

use crate::session::{Session, ok};
use cl_sys::{cl_kernel, cl_mem};
use std::ptr::null_mut;

const GROUP: usize = 64;

/// Work-items of a launch. The last ones have no row, so that a vector has lanes without.
const ITEMS: usize = 2 * GROUP;

const ROWS: usize = ITEMS - 5;

/// Elements from one row to the next.
const PITCH: usize = 100;

/// The element of a row of a counter of zero, as in `LOOPS`.
const ORIGIN: usize = 40;

/// `NAME` computes a number that depends on the order of the elements, `NAME_in_memory` one in an element of `sums`,
/// which may be in the row, with enough arithmetic that vectors pay.
const LOOPS: &str = "
#define ORIGIN 40
#define LOOP(NAME, T, C, COMPARE, NUMBER)                                                        \\
  kernel void NAME(global const T *a, global T *results, int rows, int pitch, C first, C end) {  \\
    int i = get_global_id(0);                                                                    \\
    if (i >= rows)                                                                               \\
      return;                                                                                    \\
    T order = 7;                                                                                 \\
    for (C j = first; j COMPARE end; j++)                                                        \\
      order = order * 31 + a[i * pitch + ORIGIN + NUMBER j];                                     \\
    results[i] = order;                                                                          \\
  }                                                                                              \\
  kernel void NAME##_in_memory(global T *a, global T *sums, int rows, int pitch, C first, C end, \\
                               global const int *places) {                                       \\
    int i = get_global_id(0);                                                                    \\
    if (i >= rows)                                                                               \\
      return;                                                                                    \\
    global T *sum = sums + places[i];                                                            \\
    for (C j = first; j COMPARE end; j++) {                                                      \\
      T mixed = *sum * 31 + a[i * pitch + ORIGIN + NUMBER j];                                    \\
      for (int n = 0; n < 4; n++) {                                                              \\
        mixed ^= mixed << 13;                                                                    \\
        mixed ^= mixed >> 17;                                                                    \\
        mixed ^= mixed << 5;                                                                     \\
      }                                                                                          \\
      *sum = mixed;                                                                              \\
    }                                                                                            \\
  }
#define LOOPS(T)                              \\
  LOOP(T##_int, T, int, <, )                  \\
  LOOP(T##_until, T, int, !=, )               \\
  LOOP(T##_uint, T, uint, <, (int))           \\
  LOOP(T##_wrapping, T, uint, !=, (int))      \\
  LOOP(T##_long, T, long, <, )                \\
  LOOP(T##_long_until, T, long, !=, )
LOOPS(uint)
LOOPS(ulong)
";

/// What a kernel of `LOOPS` computes with.
trait Element: Copy + PartialEq + std::fmt::Debug + Default {
    const NAME: &str;
    fn of(number: usize) -> Self;
    fn of_order() -> Self;
    fn after(self, next: Self) -> Self;
    fn mixed(self) -> Self;
}

macro_rules! element {
    ($ty:ty, $name:literal) => {
        impl Element for $ty {
            const NAME: &str = $name;
            fn of(number: usize) -> Self {
                (number as $ty).wrapping_mul(2_654_435_761)
            }
            fn of_order() -> Self {
                7
            }
            fn after(self, next: Self) -> Self {
                self.wrapping_mul(31).wrapping_add(next)
            }
            fn mixed(mut self) -> Self {
                for _ in 0..4 {
                    self ^= self << 13;
                    self ^= self >> 17;
                    self ^= self << 5;
                }
                self
            }
        }
    };
}

element!(u32, "uint");
element!(u64, "ulong");

/// A form of `LOOPS`.
struct Form {
    name: &'static str,
    /// The counter has 64 bits.
    is_long: bool,
    /// First counters and bounds.
    ranges: &'static [(i64, i64)],
}

const fn form(name: &'static str, is_long: bool, ranges: &'static [(i64, i64)]) -> Form {
    Form {
        name,
        is_long,
        ranges,
    }
}

const FORMS: &[Form] = &[
    form(
        "int",
        false,
        &[
            (0, 0),
            (0, 1),
            (0, 15),
            (0, 16),
            (0, 17),
            (3, 50),
            (-40, 55),
            (-9, -1),
        ],
    ),
    form("until", false, &[(0, 1), (0, 32), (2, 50), (-20, 20)]),
    form("uint", false, &[(0, 0), (0, 16), (0, 31), (0, 60)]),
    form("wrapping", false, &[(0, 33), (-20, 20), (-17, 0)]),
    form("long", true, &[(0, 0), (0, 16), (1, 60), (-33, 20)]),
    form("long_until", true, &[(0, 33), (-33, 20), (7, 23)]),
];

/// Numbers of the elements that a work-item reads.
fn row(item: usize, (first, end): (i64, i64)) -> impl Iterator<Item = usize> {
    (first..end).map(move |j| (item * PITCH + ORIGIN).wrapping_add_signed(j as isize))
}

fn set_arguments(
    session: &Session,
    kernel: cl_kernel,
    buffers: [cl_mem; 2],
    is_long: bool,
    range: (i64, i64),
) {
    for (index, buffer) in (0..).zip(buffers) {
        ok(session.set(kernel, index, &buffer));
    }
    ok(session.set(kernel, 2, &(ROWS as i32)));
    ok(session.set(kernel, 3, &(PITCH as i32)));
    for (index, value) in [(4, range.0), (5, range.1)] {
        match is_long {
            true => ok(session.set(kernel, index, &value)),
            false => ok(session.set(kernel, index, &(value as i32))),
        }
    }
}

fn launch(session: &Session, kernel: cl_kernel) {
    let (queue, sizes) = (session.queue, [ITEMS]);
    ok(session.launch(queue, kernel, &sizes, Some(&[GROUP]), &[], null_mut()));
}

/// Calls `check` with each kernel of `LOOPS` whose name ends in `suffix`, its form, and the elements of a buffer.
fn for_each_kernel<T: Element>(suffix: &str, check: impl Fn(&Session, cl_kernel, &Form, &[T])) {
    let session = Session::open();
    let program = session.built(LOOPS);
    let elements: Vec<T> = (0..ITEMS * PITCH).map(T::of).collect();
    for form in FORMS {
        let name = format!("{}_{}{suffix}", T::NAME, form.name);
        check(&session, session.kernel_of(program, &name), form, &elements);
    }
}

fn rows_are_read_in_order<T: Element>() {
    for_each_kernel("", |session, kernel, form, elements: &[T]| {
        for &range in form.ranges {
            let buffers = [
                session.buffer(elements),
                session.buffer(&[T::default(); ITEMS]),
            ];
            set_arguments(session, kernel, buffers, form.is_long, range);
            launch(session, kernel);
            let order =
                |item| row(item, range).fold(T::of_order(), |order, at| order.after(elements[at]));
            let mut expected: Vec<T> = (0..ROWS).map(order).collect();
            expected.resize(ITEMS, T::default());
            let found = session.read::<T>(buffers[1], ITEMS);
            assert_eq!(found, expected, "{} {range:?}", form.name);
        }
    });
}

#[test]
fn rows_are_read_in_their_order() {
    rows_are_read_in_order::<u32>();
    rows_are_read_in_order::<u64>();
}

/// Places of a row, by work-item: outside what loops read, among it in one lane, and among it in some.
const PLACES: [fn(usize) -> usize; 4] = [
    |_| PITCH - 1,
    |_| 0,
    |item| {
        if item == GROUP + 6 {
            ORIGIN + 20
        } else {
            PITCH - 1
        }
    },
    |item| item * 16 % PITCH,
];

fn sums_in_rows_are_read_back<T: Element>() {
    for_each_kernel("_in_memory", |session, kernel, form, elements: &[T]| {
        let of_range = |range| PLACES.iter().map(move |place| (range, place));
        for (range, place) in form.ranges.iter().copied().flat_map(of_range) {
            let places: Vec<usize> = (0..ITEMS).map(|item| item * PITCH + place(item)).collect();
            let mut expected = elements.to_vec();
            for (item, &place) in places.iter().enumerate().take(ROWS) {
                for at in row(item, range) {
                    expected[place] = expected[place].after(expected[at]).mixed();
                }
            }
            let buffer = session.buffer(elements);
            set_arguments(session, kernel, [buffer; 2], form.is_long, range);
            let places: Vec<i32> = places.iter().map(|place| *place as i32).collect();
            ok(session.set(kernel, 6, &session.buffer(&places)));
            launch(session, kernel);
            let found = session.read::<T>(buffer, elements.len());
            assert!(found == expected, "{} {range:?} {}", form.name, place(0));
        }
    });
}

#[test]
fn sums_that_lie_in_rows_are_read_back() {
    sums_in_rows_are_read_back::<u32>();
    sums_in_rows_are_read_back::<u64>();
}
