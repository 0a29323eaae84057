//! Work-items as lanes: what inactive lanes must leave alone.

use crate::session::{Session, ok};
use std::ptr::null_mut;

/// The last work-items of a row are a group of lanes that is half full; what its inactive lanes
/// would touch is the row's before, and the rows run side by side.
#[test]
fn rows_side_by_side_leave_one_another_s_local_memory_alone() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel __attribute__((reqd_work_group_size(12, 8, 1)))
         void reversed(global const float *from, global float *to) {
             local float kept[96];
             int x = get_local_id(0), y = get_local_id(1);
             int at = x < 8 ? y * 8 + x : 64 + (7 - y) * 4 + x - 8;
             kept[at] = from[x] + 100 * y;
             barrier(CLK_LOCAL_MEM_FENCE);
             to[y * 12 + x] = kept[at];
         }",
        "reversed",
    );
    let from = session.buffer(&std::array::from_fn::<f32, 12, _>(|x| x as f32));
    let to = session.buffer(&[0f32; 96]);
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &to));
    let sizes = [12, 8];
    ok(session.launch(session.queue, kernel, &sizes, Some(&sizes), &[], null_mut()));
    let expected: Vec<f32> = (0..96).map(|i| (i % 12 + 100 * (i / 12)) as f32).collect();
    assert_eq!(session.read::<f32>(to, 96), expected);
}

/// A few instructions are run without asking whether a lane takes part.
#[test]
fn local_memory_that_no_work_item_reads_is_not_read() {
    let session = Session::open();
    let kernel = session.kernel(
        "kernel __attribute__((reqd_work_group_size(64, 1, 1)))
         void none(global const int *from, global int *to, int n, int far) {
             local int kept[64];
             int i = get_local_id(0);
             kept[i] = from[i];
             barrier(CLK_LOCAL_MEM_FENCE);
             int x = 3;
             if (from[i] < n)
                 x = kept[i + far];
             to[i] = x;
         }",
        "none",
    );
    let from = session.buffer(&[7i32; 64]);
    let to = session.buffer(&[0i32; 64]);
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &to));
    ok(session.set(kernel, 2, &0i32));
    ok(session.set(kernel, 3, &(1i32 << 29)));
    ok(session.launch(session.queue, kernel, &[64], Some(&[64]), &[], null_mut()));
    assert_eq!(session.read::<i32>(to, 64), [3; 64]);
}

/// Lanes that take no part in a load read another place, as aligned as the load expects it.
#[test]
fn what_is_aligned_to_more_than_its_size_is_read_by_some_lanes() {
    let session = Session::open();
    let kernel = session.kernel(
        "struct entry { uint3 place; char2 kind; };
         kernel __attribute__((reqd_work_group_size(64, 1, 1)))
         void kinds(global const int *from, global const struct entry *entries, global int *to) {
             int i = get_local_id(0);
             int kind = -1;
             if (from[i] >= 0)
                 kind = entries[from[i]].kind.x;
             to[i] = kind;
         }",
        "kinds",
    );
    let number = |i: usize| {
        if i.is_multiple_of(3) {
            -1
        } else {
            i as i32 % 8
        }
    };
    let from = session.buffer(&std::array::from_fn::<i32, 64, _>(number));
    let entries = session.buffer(&std::array::from_fn::<u8, 256, _>(|i| i as u8 / 32));
    let to = session.buffer(&[0i32; 64]);
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &entries));
    ok(session.set(kernel, 2, &to));
    ok(session.launch(session.queue, kernel, &[64], Some(&[64]), &[], null_mut()));
    let expected: Vec<i32> = (0..64).map(number).collect();
    assert_eq!(session.read::<i32>(to, 64), expected);
}
