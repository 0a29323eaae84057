//! Elements of a table that each work-item finds by a number of its own: numbers of all sizes, signed and unsigned, close to the
//! ends of their ranges, from a start that all work-items share.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// Work-items of a launch; a vector has lanes without.
const ITEMS: usize = 75;

/// Numbers from the least to the largest one that work-items have.
const NUMBERS: usize = 110;

/// Largest distance of neighbouring numbers' elements, in elements.
const MOST_STEPS: usize = 24;

/// `least` is the first number; `STEPS` are the elements from one number to the next. Work-items that look nothing up have
/// numbers whose elements do not exist.
const KERNELS: &str = "
long index(N number, long least) {
    return ((long)number - least) * STEPS + 1;
}
kernel void all(global const T *table, global const N *numbers, global T *results, long least) {
    int i = get_global_id(0);
    results[i] = table[index(numbers[i], least)];
}
kernel void some(global const T *table, global const N *numbers, global T *results, long least) {
    int i = get_global_id(0);
    N number = numbers[i];
    T result = 3;
    if ((long)number - least < NUMBERS && (long)number >= least)
        result = table[index(number, least)];
    results[i] = result;
}
kernel void stored(global T *table, global const N *numbers, global T *results, long least) {
    int i = get_global_id(0);
    table[index(numbers[i], least)] = i;
    results[i] = i;
}
";

/// The number of a work-item from the least one on: each has another.
fn offset_of(item: usize) -> usize {
    item * 37 % NUMBERS
}

/// Looks elements of one type up by numbers of one type, of which `least` is the least and `far` is out of the table.
fn are_found<N: Copy, T: Copy + Default + PartialEq>(
    session: &Session,
    types: (&str, &str),
    least: i64,
    number: fn(i64) -> N,
    element: fn(usize) -> T,
) {
    let elements: Vec<T> = (0..NUMBERS * MOST_STEPS + 2).map(element).collect();
    let far = least + if least < 0 { NUMBERS as i64 } else { -1 };
    for steps in [1, 2, 3, 8, 12, MOST_STEPS] {
        let (of_number, of_element) = types;
        let options =
            format!("-DN={of_number} -DT={of_element} -DSTEPS={steps} -DNUMBERS={NUMBERS}");
        let program = session.built_with(KERNELS, &options);
        for kernel in ["all", "some", "stored"] {
            let is_found = |item: usize| kernel != "some" || item % 3 != 1;
            let numbers: Vec<N> = (0..ITEMS)
                .map(|item| match is_found(item) {
                    true => number(least + offset_of(item) as i64),
                    false => number(far),
                })
                .collect();
            let table = session.buffer(&elements);
            let results = session.buffer(&[T::default(); ITEMS]);
            let run = session.kernel_of(program, kernel);
            ok(session.set(run, 0, &table));
            ok(session.set(run, 1, &session.buffer(&numbers)));
            ok(session.set(run, 2, &results));
            ok(session.set(run, 3, &least));
            ok(session.launch(session.queue, run, &[ITEMS], None, &[], null_mut()));
            let place = |item: usize| offset_of(item) * steps + 1;
            let expected: Vec<T> = (0..ITEMS)
                .map(|item| match kernel {
                    "stored" => element(item),
                    _ if is_found(item) => elements[place(item)],
                    _ => element(3),
                })
                .collect();
            let name = format!("{kernel}, {types:?}, {steps} steps");
            assert!(
                session.read::<T>(results, ITEMS) == expected,
                "{name}, results"
            );
            let mut after = elements.clone();
            if kernel == "stored" {
                (0..ITEMS).for_each(|item| after[place(item)] = element(item));
            }
            assert!(
                session.read::<T>(table, elements.len()) == after,
                "{name}, table"
            );
        }
    }
}

fn elements_are_found<T: Copy + Default + PartialEq>(name: &str, element: fn(usize) -> T) {
    let session = Session::open();
    let s = &session;
    are_found(s, ("uchar", name), 20, |n| n as u8, element);
    are_found(s, ("char", name), -60, |n| n as i8, element);
    are_found(s, ("ushort", name), 40_000, |n| n as u16, element);
    are_found(s, ("short", name), -32_768, |n| n as i16, element);
    are_found(s, ("uint", name), (1 << 31) - 50, |n| n as u32, element);
    are_found(s, ("int", name), -50, |n| n as i32, element);
    are_found(s, ("int", name), -(1 << 31), |n| n as i32, element);
    are_found(s, ("int", name), (1 << 31) - 110, |n| n as i32, element);
}

#[test]
fn lanes_find_elements_of_a_table() {
    elements_are_found("float", |number| number as f32);
    elements_are_found("double", |number| number as f64);
    elements_are_found("int", |number| number as i32);
    elements_are_found("long", |number| number as i64);
}

#[test]
fn lanes_find_small_elements_of_a_table() {
    elements_are_found("uchar", |number| number as u8);
    elements_are_found("short", |number| number as i16);
}
