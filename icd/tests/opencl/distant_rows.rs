//! Loops that store rows far apart, which all work-items of a group execute iteration by iteration.

use crate::session::{Session, ok};
use std::ptr::null_mut;

const WIDTH: usize = 64;
const HEIGHT: usize = 16;
const PLANE: usize = WIDTH * HEIGHT;
const PLANES: usize = 9;

/// All kernels write, for each plane, a number of the elements before it in the column.
const WALKS: &str = "
/* The index is computed in each iteration, from ids that are not those of the first element. */
kernel void computed(global const uint *in, global uint *out, int width, int height, int planes) {
  int x = get_global_id(0) + 1, y = get_global_id(1) + 1;
  uint order = 7;
  for (int z = 0; z < planes; z++) {
    int i = (z * height + y - 1) * width + x - 1;
    order = order * 31 + in[i];
    out[i] = order;
  }
}
/* Index and element are carried from iteration to iteration. */
kernel void marching(global const uint *in, global uint *out, int width, int height, int planes) {
  int i = get_global_id(1) * width + get_global_id(0);
  uint order = 7;
  for (int z = 0; z < planes; z++) {
    order = order * 31 + in[i];
    out[i] = order;
    i += width * height;
  }
}
/* As a program with pointers does it, with what follows the loop. */
kernel void pointers(global const uint *in, global uint *out, int width, int height, int planes) {
  size_t first = get_global_id(1) * width + get_global_id(0), plane = width * height;
  global uint *to = out + first;
  uint order = 7;
  for (in += first; planes > 0; planes--, in += plane, to += plane)
    *to = order = order * 31 + *in;
  if (order == 1)
    out[first] = to - out;
}
/* Towards lower addresses, where an iteration skips what follows it. */
kernel void skipping(global const uint *in, global uint *out, int width, int height, int planes) {
  uint x = get_global_id(0), y = get_global_id(1);
  for (int z = planes - 1; z >= 0; z--) {
    uint i = (z * height + y) * width + x, order = 7;
    if (in[i] % 3 == 0)
      continue;
    for (int before = 0; before <= z; before++)
      order = order * 31 + in[(before * height + y) * width + x];
    out[i] = order;
  }
}
/* Not all work-items walk. */
kernel void guarded(global const uint *in, global uint *out, int width, int height, int planes) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1)
    return;
  int i = y * width + x;
  uint order = 7;
  for (int z = 0; z < planes; z++) {
    order = order * 31 + in[i];
    out[i] = order;
    i += width * height;
  }
}
";

/// What `kernel` writes.
fn expected(kernel: &str, elements: &[u32]) -> Vec<u32> {
    let mut expected = vec![0u32; elements.len()];
    for column in 0..PLANE {
        let (x, y) = (column % WIDTH, column / WIDTH);
        let is_edge = x == 0 || y == 0 || x == WIDTH - 1 || y == HEIGHT - 1;
        let mut order = 7u32;
        for at in (0..PLANES).map(|plane| plane * PLANE + column) {
            order = order.wrapping_mul(31).wrapping_add(elements[at]);
            let is_left_out = match kernel {
                "skipping" => elements[at].is_multiple_of(3),
                "guarded" => is_edge,
                _ => false,
            };
            if !is_left_out {
                expected[at] = order;
            }
        }
    }
    expected
}

#[test]
fn each_work_item_walks_over_its_rows() {
    let session = Session::open();
    let program = session.built(WALKS);
    let elements: Vec<u32> = (0..(PLANES * PLANE) as u32)
        .map(|number| number.wrapping_mul(2_654_435_761) >> 7)
        .collect();
    for name in ["computed", "marching", "pointers", "skipping", "guarded"] {
        let kernel = session.kernel_of(program, name);
        let expected = expected(name, &elements);
        for local in [[16, 4], [64, 1], [8, 8], [64, 16]] {
            let out = session.buffer(&vec![0u32; elements.len()]);
            for (index, buffer) in (0..).zip([session.buffer(&elements), out]) {
                ok(session.set(kernel, index, &buffer));
            }
            for (index, number) in (2..).zip([WIDTH, HEIGHT, PLANES]) {
                ok(session.set(kernel, index, &(number as i32)));
            }
            let (queue, sizes) = (session.queue, [WIDTH, HEIGHT]);
            ok(session.launch(queue, kernel, &sizes, Some(&local), &[], null_mut()));
            let found = session.read::<u32>(out, elements.len());
            assert!(found == expected, "{name} {local:?}");
        }
    }
}
