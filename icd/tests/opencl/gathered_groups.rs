//! Neighbouring elements that each work-item loads at an address of its own, of which vector code loads several at once.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// Work-items of a launch; a vector has lanes without.
const ITEMS: usize = 75;

/// Elements of the buffer.
const ELEMENTS: usize = 400;

/// Elements that a work-item loads at most.
const MOST: usize = 9;

/// Each work-item loads elements around its own place, in the order of `STEPS`. `stored` changes some of them between
/// the loads.
const KERNELS: &str = "
#define MIX(k) mixed = mixed * 31 + a[at + k];
kernel void loaded(global T *a, global const int *places, global T *results) {
    int i = get_global_id(0);
    int at = places[i];
    T mixed = 7;
    if (at >= 0) {
        STEPS
    }
    results[i] = mixed;
}
kernel void stored(global T *a, global const int *places, global T *results) {
    int i = get_global_id(0);
    int at = places[i];
    T mixed = 7;
    MIX(0) MIX(1)
    a[at + 2] = mixed;
    MIX(2) MIX(3)
    a[at] = mixed;
    MIX(1) MIX(0) MIX(1) MIX(2) MIX(3)
    results[i] = mixed;
}
";

const ORDERS: [&[usize]; 7] = [
    &[0, 1],
    &[1, 0, 3, 2],
    &[3, 1, 0, 2],
    &[4, 2, 3],
    &[0, 2, 4, 6],
    &[0, 1, 2, 3, 4, 5, 6, 7, 8],
    &[1, 1, 2, 0, 0, 3, 5],
];

/// A hash of numbers.
fn mix(numbers: impl Iterator<Item = u64>) -> u64 {
    numbers.fold(7, |mixed, number| {
        mixed.wrapping_mul(31).wrapping_add(number)
    })
}

fn groups_are_loaded<T: Copy + Default + PartialEq>(name: &str, of: fn(u64) -> T) {
    let session = Session::open();
    let numbers: Vec<u64> = (0..ELEMENTS as u64)
        .map(|number| number.wrapping_mul(2_654_435_761))
        .collect();
    let elements: Vec<T> = numbers.iter().map(|number| of(*number)).collect();
    let run = |program, kernel: &str, places: &[i32]| {
        let kernel = session.kernel_of(program, kernel);
        let buffer = session.buffer(&elements);
        let results = session.buffer(&[T::default(); ITEMS]);
        ok(session.set(kernel, 0, &buffer));
        ok(session.set(kernel, 1, &session.buffer(places)));
        ok(session.set(kernel, 2, &results));
        ok(session.launch(session.queue, kernel, &[ITEMS], None, &[], null_mut()));
        (
            session.read::<T>(buffer, ELEMENTS),
            session.read::<T>(results, ITEMS),
        )
    };
    let expected = |numbers: Vec<u64>| numbers.into_iter().map(of).collect::<Vec<T>>();
    for order in ORDERS {
        let places: Vec<i32> = (0..ITEMS)
            .map(|i| match i % 5 {
                3 => -1,
                _ => ((i * 37) % (ELEMENTS - MOST)) as i32,
            })
            .collect();
        let statements: Vec<String> = order.iter().map(|k| format!("MIX({k})")).collect();
        let options = format!("-DT={name} -DSTEPS={}", statements.join(""));
        let program = session.built_with(KERNELS, &options);
        let (_, results) = run(program, "loaded", &places);
        let of_place = |place: &i32| {
            let loaded = |k: &usize| numbers[*place as usize + k];
            let order = if *place < 0 { &[] } else { order };
            mix(order.iter().map(loaded))
        };
        let expected = expected(places.iter().map(of_place).collect());
        assert!(results == expected, "{name} {order:?}");
    }
    // The work-items' elements are apart.
    let places: Vec<i32> = (0..ITEMS).map(|i| ((i * 32) % ITEMS * 5) as i32).collect();
    let program = session.built_with(KERNELS, &format!("-DT={name} -DSTEPS="));
    let (after, results) = run(program, "stored", &places);
    let (mut numbers, mut mixed) = (numbers, Vec::new());
    for place in places {
        let a = &mut numbers[place as usize..];
        a[2] = mix([a[0], a[1]].into_iter());
        a[0] = mix([a[0], a[1], a[2], a[3]].into_iter());
        let order = [1, 0, 1, 2, 3].map(|k: usize| a[k]);
        mixed.push(order.into_iter().fold(a[0], |mixed, number| {
            mixed.wrapping_mul(31).wrapping_add(number)
        }));
    }
    assert!(results == expected(mixed), "{name}, results of stores");
    assert!(after == expected(numbers), "{name}, stores");
}

#[test]
fn lanes_load_groups_of_elements_at_their_own_places() {
    groups_are_loaded("uint", |number| number as u32);
    groups_are_loaded("ulong", |number| number);
    groups_are_loaded("ushort", |number| number as u16);
    groups_are_loaded("uchar", |number| number as u8);
}
