//! Stores that bypass the caches.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// Large launches store whole lines past the caches, from the beginning of a buffer and from within a line.
#[test]
fn large_launches_store_lines_that_the_host_and_later_kernels_see() {
    const COUNT: usize = (8 << 20) + 256;
    let session = Session::open();
    let program = session.built(
        "kernel void number(global int *to, int first, int distance) {
             to[get_global_id(0) + distance] = get_global_id(0) * 3 + first;
         }
         kernel void check(global const int *from, global int *wrong, int first, int distance) {
             size_t i = get_global_id(0);
             if (from[i + distance] != (int)i * 3 + first)
                 atomic_inc(wrong);
         }",
    );
    let [number, check] = ["number", "check"].map(|name| session.kernel_of(program, name));
    let to = session.buffer(&vec![0i32; COUNT + 16]);
    let wrong = session.buffer(&[0i32]);
    for (first, distance) in [(5i32, 0i32), (6, 1), (7, 16)] {
        ok(session.set(number, 0, &to));
        ok(session.set(number, 1, &first));
        ok(session.set(number, 2, &distance));
        ok(session.set(check, 0, &to));
        ok(session.set(check, 1, &wrong));
        ok(session.set(check, 2, &first));
        ok(session.set(check, 3, &distance));
        for kernel in [number, check] {
            ok(session.launch(session.queue, kernel, &[COUNT], None, &[], null_mut()));
        }
        assert_eq!(session.read::<i32>(wrong, 1), [0], "{first}");
        let numbers = session.read::<i32>(to, COUNT + 16);
        let numbers = &numbers[distance as usize..][..COUNT];
        let differs = (0i32..).zip(numbers).find(|(i, n)| **n != i * 3 + first);
        assert_eq!(differs, None, "{first}");
    }
}

/// Work-items that store in a loop, first to a large buffer, then with the same kernel object to a small one.
#[test]
fn loops_store_to_large_and_to_small_buffers() {
    const ITEMS: usize = 16 << 10;
    const MOST_EACH: usize = 512;
    let session = Session::open();
    let program = session.built(
        "kernel void number(global int *to, int each) {
             for (int k = 0; k < each; k++)
                 to[k * get_global_size(0) + get_global_id(0)] = k - 2 * (int)get_global_id(0);
         }",
    );
    let kernel = session.kernel_of(program, "number");
    let large = session.buffer(&vec![0i32; ITEMS * MOST_EACH]);
    let small = session.buffer(&vec![0i32; ITEMS * 2]);
    for (to, each) in [(large, MOST_EACH), (small, 2), (large, MOST_EACH)] {
        ok(session.set(kernel, 0, &to));
        ok(session.set(kernel, 1, &(each as i32)));
        ok(session.launch(session.queue, kernel, &[ITEMS], None, &[], null_mut()));
        let numbers = session.read::<i32>(to, ITEMS * each);
        let expected = |i: usize| (i / ITEMS) as i32 - 2 * (i % ITEMS) as i32;
        let differs = numbers
            .iter()
            .enumerate()
            .find(|(i, n)| **n != expected(*i));
        assert_eq!(differs, None, "{each}");
    }
}

/// Of many launches of a kernel some store past the caches and others do not. Each one's results are seen.
#[test]
fn launches_on_trial_store_what_they_compute() {
    const COUNT: usize = 4 << 20;
    let session = Session::open();
    let program = session.built(
        "kernel void number(global int *to, int first) { to[get_global_id(0)] = get_global_id(0) ^ first; }
         kernel void check(global const int *from, global int *wrong, int first) {
             if (from[get_global_id(0)] != ((int)get_global_id(0) ^ first))
                 atomic_inc(wrong);
         }",
    );
    let [number, check] = ["number", "check"].map(|name| session.kernel_of(program, name));
    let to = session.buffer(&vec![0i32; COUNT]);
    let wrong = session.buffer(&[0i32]);
    ok(session.set(number, 0, &to));
    ok(session.set(check, 0, &to));
    ok(session.set(check, 1, &wrong));
    for first in 1..=20i32 {
        ok(session.set(number, 1, &first));
        ok(session.set(check, 2, &first));
        for kernel in [number, check] {
            ok(session.launch(session.queue, kernel, &[COUNT], None, &[], null_mut()));
        }
        assert_eq!(session.read::<i32>(wrong, 1), [0], "{first}");
    }
}
