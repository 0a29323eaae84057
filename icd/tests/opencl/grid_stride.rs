//! Grid-stride loops: work-items execute exactly their own iterations, in order.

use crate::session::{Session, ok};
use cl_sys::{cl_kernel, cl_mem};
use std::ptr::null_mut;

const GROUP: usize = 64;
const GROUPS: usize = 4;
const GRID: usize = GROUP * GROUPS;

/// Loops that count the executions of each iteration, and compute for each work-item a number that
/// depends on the order of its iterations. The atomic operations are not vectorised.
const LOOPS: &str = "
#define LOOP(NAME, T, START, COMPARE, STEP)                                            \\
  kernel void NAME(global int *seen, global uint *orders, T first, T n, T low) {      \\
    uint order = 7;                                                                    \\
    for (T i = (T)START(0) + first; i COMPARE n; i += STEP) {                          \\
      atomic_inc(&seen[i - low]);                                                      \\
      order = order * 31 + (uint)i;                                                    \\
    }                                                                                  \\
    orders[get_global_id(0)] = order;                                                  \\
  }
#define GRID get_global_size(0)
#define GROUPS get_local_size(0) * get_num_groups(0)
#define LOOPS(T)                                            \\
  LOOP(T##_grid, T, get_global_id, <, GRID)                 \\
  LOOP(T##_inclusive, T, get_global_id, <=, GRID)           \\
  LOOP(T##_groups, T, get_global_id, <, GROUPS)             \\
  LOOP(T##_local, T, get_local_id, <, get_local_size(0))    \\
  LOOP(T##_step, T, get_global_id, <, (T)GRID)
LOOPS(int)
LOOPS(uint)
LOOPS(long)
LOOPS(ulong)
";

/// A counter's type.
#[derive(Clone, Copy)]
struct Counter {
    name: &'static str,
    bits: u32,
    signed: bool,
}

const COUNTERS: [Counter; 4] = [
    Counter {
        name: "int",
        bits: 32,
        signed: true,
    },
    Counter {
        name: "uint",
        bits: 32,
        signed: false,
    },
    Counter {
        name: "long",
        bits: 64,
        signed: true,
    },
    Counter {
        name: "ulong",
        bits: 64,
        signed: false,
    },
];

impl Counter {
    fn wrapped(self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.bits))
    }

    fn number(self, value: u64) -> i128 {
        let unused = 64 - self.bits;
        if self.signed {
            i128::from((value << unused) as i64 >> unused)
        } else {
            i128::from(value)
        }
    }

    fn set(self, session: &Session, kernel: cl_kernel, index: u32, value: u64) {
        ok(match self.bits {
            32 => session.set(kernel, index, &(value as u32)),
            _ => session.set(kernel, index, &value),
        });
    }
}

/// A loop's first counter of the first work-item, its bound, and the least counter that it reaches.
#[derive(Clone, Copy, Debug)]
struct Range {
    first: u64,
    bound: u64,
    low: u64,
}

fn launch(session: &Session, kernel: cl_kernel) {
    ok(session.launch(
        session.queue,
        kernel,
        &[GRID],
        Some(&[GROUP]),
        &[],
        null_mut(),
    ));
}

fn set_buffers(session: &Session, kernel: cl_kernel, buffers: &[cl_mem]) {
    for (index, buffer) in buffers.iter().enumerate() {
        ok(session.set(kernel, index as u32, buffer));
    }
}

fn executes_its_iterations(
    session: &Session,
    kernel: cl_kernel,
    of: Counter,
    form: &str,
    range: Range,
) {
    const SEEN: usize = 4096;
    let is_local = form == "local";
    let step = if is_local { GROUP } else { GRID } as u64;
    let mut seen = vec![0i32; SEEN];
    let mut orders = vec![7u32; GRID];
    for (item, order) in orders.iter_mut().enumerate() {
        let id = if is_local { item % GROUP } else { item } as u64;
        let mut i = of.wrapped(range.first.wrapping_add(id));
        let is_within = |i: u64| {
            let (i, bound) = (of.number(i), of.number(range.bound));
            i < bound || form == "inclusive" && i == bound
        };
        while is_within(i) {
            seen[of.wrapped(i.wrapping_sub(range.low)) as usize] += 1;
            *order = order.wrapping_mul(31).wrapping_add(i as u32);
            i = of.wrapped(i.wrapping_add(step));
        }
    }
    let buffers = [session.buffer(&[0i32; SEEN]), session.buffer(&[0u32; GRID])];
    set_buffers(session, kernel, &buffers);
    for (index, value) in (2..).zip([range.first, range.bound, range.low]) {
        of.set(session, kernel, index, value);
    }
    launch(session, kernel);
    let name = of.name;
    assert_eq!(
        session.read::<i32>(buffers[0], SEEN),
        seen,
        "{name} {form} {range:?}"
    );
    assert_eq!(
        session.read::<u32>(buffers[1], GRID),
        orders,
        "{name} {form} {range:?}"
    );
}

#[test]
fn work_items_execute_their_iterations_of_grid_stride_loops() {
    let session = Session::open();
    let program = session.built(LOOPS);
    let group = GROUP as u64;
    let grid = GRID as u64;
    let bounds = [
        0,
        1,
        group - 1,
        group,
        group + 1,
        grid - 1,
        grid,
        grid + 1,
        3 * grid + 3,
    ];
    for of in COUNTERS {
        // The last step does not wrap.
        let greatest = of.wrapped(u64::MAX) >> u32::from(of.signed);
        let last = greatest - (grid - 1) - 1;
        let mut ranges: Vec<Range> = bounds
            .iter()
            .map(|&bound| Range {
                first: 0,
                bound,
                low: 0,
            })
            .collect();
        for length in [1, group, 1000] {
            let first = last - length;
            ranges.push(Range {
                first,
                bound: last,
                low: first,
            });
        }
        // Counters of some work-items of a group start beyond zero.
        for beyond in [1, group / 2, grid - 10] {
            let first = of.wrapped(0u64.wrapping_sub(beyond));
            let low = if of.signed { first } else { 0 };
            ranges.push(Range {
                first,
                bound: 100,
                low,
            });
        }
        for form in ["grid", "inclusive", "groups", "local", "step"] {
            let kernel = session.kernel_of(program, &format!("{}_{form}", of.name));
            for range in &ranges {
                executes_its_iterations(&session, kernel, of, form, *range);
            }
        }
    }
}

/// Atomic operations on local memory, branches in the body, and loops one after another.
const BODIES: &str = "
kernel void histogram(global const uchar *from, global int *to, uint n) {
    local int bins[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&bins[from[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
        atomic_add(&to[i], bins[i]);
}
kernel void skipping(global const uchar *from, global int *to, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (from[i] % 3 == 0)
            continue;
        atomic_inc(&to[from[i]]);
    }
}
kernel void leaving(global const uchar *from, global int *to, uint n) {
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        if (from[i] == 200)
            break;
        atomic_inc(&to[from[i]]);
    }
}
kernel void nested(global const uchar *from, global int *to, uint n) {
    for (uint y = get_group_id(0); y < n / 100; y += get_num_groups(0))
        for (uint x = get_local_id(0); x < 100; x += get_local_size(0))
            atomic_inc(&to[from[100 * y + x]]);
    for (uint i = n / 100 * 100 + get_global_id(0); i < n; i += get_global_size(0))
        atomic_inc(&to[from[i]]);
}
kernel void twice(global const uchar *from, global int *to, uint n) {
    int sum = 0, last = -1;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        atomic_inc(&to[from[i]]);
        sum += from[i];
        last = i;
    }
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {
        sum -= from[i];
        atomic_inc(&to[from[i]]);
    }
    if (sum != 0 || last >= (int)n || last >= 0 && last % get_global_size(0) != get_global_id(0))
        atomic_sub(&to[0], 1000000);
}
";

#[test]
fn bodies_of_grid_stride_loops_are_executed_once_for_each_iteration() {
    let session = Session::open();
    let program = session.built(BODIES);
    for count in [1, GROUP, GRID - 1, GRID, GRID + 1, 5 * GRID + 77] {
        let bytes: Vec<u8> = (0..count).map(|i| (i * i / 7) as u8).collect();
        for name in ["histogram", "skipping", "leaving", "nested", "twice"] {
            let mut expected = vec![0i32; 256];
            for item in 0..GRID {
                for &byte in bytes.iter().skip(item).step_by(GRID) {
                    match name {
                        "skipping" if byte % 3 == 0 => continue,
                        "leaving" if byte == 200 => break,
                        "twice" => expected[usize::from(byte)] += 2,
                        _ => expected[usize::from(byte)] += 1,
                    }
                }
            }
            let kernel = session.kernel_of(program, name);
            let buffers = [session.buffer(&bytes), session.buffer(&[0i32; 256])];
            set_buffers(&session, kernel, &buffers);
            ok(session.set(kernel, 2, &(count as u32)));
            launch(&session, kernel);
            assert_eq!(
                session.read::<i32>(buffers[1], 256),
                expected,
                "{name} of {count}"
            );
        }
    }
}
