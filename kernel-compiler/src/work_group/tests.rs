//! Kernels compiled and run group by group, against what the specification says
//! each work-item computes.

use crate::front_end::options::{BuildCall, BuildOptions};
use crate::kernel::specialisation::Specialisation;
use crate::program::executable::Executable;
use host_exec::work_group::{NdRange, WorkGroupContext};

const PRELUDE: &str = "
    #define LID (uint)(get_local_id(0))
    #define LSIZE (uint)(get_local_size(0))
    #define BARRIER barrier(CLK_LOCAL_MEM_FENCE)
";

#[repr(align(128))]
struct Aligned<T>(T);

/// Runs the only kernel of `source`, whose only argument is a global int array of
/// `output` elements, for the index space, with and without optimisation and with
/// and without the small-grid assumption. All four must agree.
fn run(source: &str, global: [u64; 3], local: [u64; 3], output: usize) -> Vec<i32> {
    let mut results = Vec::new();
    for text in ["", "-cl-opt-disable"] {
        for small_launch in [true, false] {
            results.push(run_once(source, text, small_launch, global, local, output));
        }
    }
    for result in &results[1..] {
        assert_eq!(*result, results[0], "versions of the kernel disagree");
    }
    results.swap_remove(0)
}

fn run_once(
    source: &str,
    options: &str,
    small_launch: bool,
    global: [u64; 3],
    local: [u64; 3],
    output: usize,
) -> Vec<i32> {
    let options = BuildOptions::parse(options, BuildCall::Build).unwrap();
    let unit = crate::compile(&format!("{PRELUDE}{source}"), &options, &[])
        .unwrap_or_else(|failure| panic!("{failure}"));
    let program = Executable::link(&[&unit]).unwrap_or_else(|failure| panic!("{failure}"));
    let version = program.normalise(
        0,
        Specialisation {
            local_size: None,
            small_launch,
            ..Default::default()
        },
    );
    let code = program
        .work_group_code(0, version)
        .unwrap_or_else(|failure| panic!("{failure}"));
    let mut memory = vec![-1; output];
    let block = Aligned([memory.as_mut_ptr() as u64; 16]);
    let nd_range = NdRange {
        work_dimensions: 3,
        global_offset: [0; 3],
        global_size: global,
        local_size: local,
        group_count: [0, 1, 2].map(|d| global[d] / local[d]),
    };
    let private = code.private_bytes(nd_range.work_items_per_group()) as usize;
    let mut local_memory = vec![Aligned([0xa5u8; 128]); code.local_memory_bytes as usize / 128 + 1];
    let mut private_memory = vec![Aligned([0x5au8; 128]); private / 128 + 1];
    let canary = private_memory.len() - 1;
    for z in 0..nd_range.group_count[2] {
        for y in 0..nd_range.group_count[1] {
            for x in 0..nd_range.group_count[0] {
                let context = WorkGroupContext {
                    nd_range,
                    group_id: [x, y, z],
                    local_memory: local_memory.as_mut_ptr().cast(),
                    private_memory: private_memory.as_mut_ptr().cast(),
                    counters: std::ptr::null_mut(),
                    recorder: std::ptr::null_mut(),
                    argument_bounds: std::ptr::null(),
                    checker: std::ptr::null(),
                    barrier_checker: std::ptr::null(),
                    race_checker: std::ptr::null(),
                    dma_checker: std::ptr::null(),
                    watched_memory: std::ptr::null(),
                    local_memory_bytes: 0,
                    footprints: std::ptr::null_mut(),
                    ordinary_stores: 0,
                };
                // SAFETY: the code was compiled for this block; the memories have the
                // sizes that it requires.
                unsafe { (code.function)(block.0.as_ptr().cast(), &context) };
            }
        }
    }
    assert!(
        private_memory[canary].0[private % 128..]
            .iter()
            .all(|byte| *byte == 0x5a),
        "wrote past its private memory"
    );
    memory
}

impl<T: Clone> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

/// Group sizes: powers of two, odd sizes, sizes with a partial last vector, and the largest.
const SIZES: &[u64] = &[1, 2, 7, 16, 33, 64, 128, 1000, 1024];

/// Runs a kernel over one group for each of `SIZES`; `expected` gives what
/// work-item `i` of `n` leaves in its element.
fn check(source: &str, expected: impl Fn(i32, i32) -> i32) {
    for &size in SIZES {
        let result = run(source, [size, 1, 1], [size, 1, 1], size as usize);
        for (i, value) in result.into_iter().enumerate() {
            assert_eq!(
                value,
                expected(i as i32, size as i32),
                "work-item {i} of {size}"
            );
        }
    }
}

#[test]
fn no_barrier() {
    check(
        "kernel void k(global int *out) { out[LID] = LID * 3 + LSIZE; }",
        |i, n| i * 3 + n,
    );
}

#[test]
fn neighbour_across_a_barrier() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int mine = LID * 7;
            shared[LID] = mine;
            BARRIER;
            out[LID] = shared[(LID + 1) % LSIZE] - mine;
        }",
        |i, n| (i + 1) % n * 7 - i * 7,
    );
}

#[test]
fn tree_reduction_in_a_uniform_loop() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            shared[LID] = LID + 1;
            for (uint step = 512; step > 0; step /= 2) {
                BARRIER;
                if (LID < step && LID + step < LSIZE) shared[LID] += shared[LID + step];
            }
            BARRIER;
            out[LID] = shared[0];
        }",
        |_, n| n * (n + 1) / 2,
    );
}

#[test]
fn several_barriers_in_one_loop_with_continue_and_break() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int sum = 0;
            for (int i = 0; i < 10; ++i) {
                shared[LID] = LID + i;
                BARRIER;
                sum += shared[LSIZE - 1 - LID];
                if (i % 3 == 1) { BARRIER; continue; }
                BARRIER;
                if (i == 8) break;
                shared[LID] = -1;
                BARRIER;
                sum += shared[(LID + 1) % LSIZE];
                BARRIER;
            }
            out[LID] = sum;
        }",
        |i, n| {
            let mut sum = 0;
            for round in 0..9 {
                sum += n - 1 - i + round;
                if round % 3 != 1 && round != 8 {
                    sum -= 1;
                }
            }
            sum
        },
    );
}

#[test]
fn barrier_in_a_uniform_conditional_and_return_of_the_whole_group() {
    let source = "kernel void k(global int *out) {
            local int shared[1024];
            shared[LID] = LID;
            if (LSIZE % 2 == 0) {
                BARRIER;
                out[LID] = shared[LID ^ 1];
                if (LSIZE > 64) return;
                BARRIER;
            } else {
                out[LID] = 5;
            }
            BARRIER;
            out[LID] += 100;
        }";
    check(source, |i, n| match (n % 2, n > 64) {
        (0, true) => i ^ 1,
        (0, false) => (i ^ 1) + 100,
        _ => 105,
    });
}

#[test]
fn private_array_lives_across_barriers() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int mine[9];
            for (int i = 0; i < 9; ++i) mine[i] = LID * i;
            shared[LID] = mine[LID % 9];
            BARRIER;
            mine[LID % 9] += shared[LSIZE - 1 - LID];
            BARRIER;
            int sum = 0;
            for (int i = 0; i < 9; ++i) sum += mine[i];
            out[LID] = sum;
        }",
        |i, n| i * 36 + (n - 1 - i) * ((n - 1 - i) % 9),
    );
}

#[test]
fn large_private_array_is_not_on_the_stack() {
    check(
        "kernel void k(global int *out) {
            int mine[100000];
            for (int i = 0; i < 64; ++i) mine[(LID * 31 + i * 1001) % 100000] = i;
            int sum = 0;
            for (int i = 0; i < 64; ++i) sum += mine[(LID * 31 + i * 1001) % 100000];
            out[LID] = sum;
        }",
        |_, _| 63 * 64 / 2,
    );
}

#[test]
fn barrier_in_a_called_function() {
    check(
        "int exchange(local int *shared, int value) {
            BARRIER;
            shared[LID] = value;
            BARRIER;
            return shared[LSIZE - 1 - LID];
        }
        kernel void k(global int *out) {
            local int shared[1024];
            int a = exchange(shared, LID + 1);
            int b = exchange(shared, a * 2);
            out[LID] = a * 10000 + b;
        }",
        |i, n| (n - i) * 10000 + (i + 1) * 2,
    );
}

#[test]
fn nested_loops_with_barriers_and_two_latches() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int sum = 0, i = 0;
            while (i < 6) {
                shared[LID] = i;
                BARRIER;
                for (int j = 0; j < i; ++j) {
                    sum += shared[(LID + j) % LSIZE] + j;
                    BARRIER;
                }
                if (i & 1) { i += 1; continue; }
                BARRIER;
                i += 1;
            }
            out[LID] = sum;
        }",
        |_, _| (0..6).map(|i| (0..i).map(|j| i + j).sum::<i32>()).sum(),
    );
}

#[test]
fn irreducible_flow_between_barriers() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int i = 0, sum = 0;
            if (LSIZE & 1) goto middle;
        top:
            sum += 10;
            BARRIER;
        middle:
            shared[LID] = sum;
            BARRIER;
            sum += shared[(LID + 1) % LSIZE] + 1;
            BARRIER;
            if (++i < 4) goto top;
            out[LID] = sum;
        }",
        |_, n| {
            let (mut sum, mut i, mut top) = (0, 0, n & 1 == 0);
            loop {
                if top {
                    sum += 10;
                }
                sum = 2 * sum + 1;
                i += 1;
                top = true;
                if i >= 4 {
                    return sum;
                }
            }
        },
    );
}

#[test]
fn divergent_flow_between_barriers() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int n = 0;
            for (uint i = LID; i != 1 && n < 300; ++n) {
                if (i == 0) break;
                i = i % 2 ? 3 * i + 1 : i / 2;
            }
            shared[LID] = n;
            BARRIER;
            int best = 0;
            for (uint i = 0; i < LSIZE; ++i) if (shared[i] > best) best = shared[i];
            out[LID] = best - n;
        }",
        |i, n| {
            let steps = |start: i32| {
                let (mut i, mut n) = (start, 0);
                while i > 1 && n < 300 {
                    i = if i % 2 == 1 { 3 * i + 1 } else { i / 2 };
                    n += 1;
                }
                n
            };
            (0..n).map(steps).max().unwrap() - steps(i)
        },
    );
}

/// Published code does that: CLBlast's kernels build each vector in a function that takes
/// the unset vector and sets its components.
#[test]
fn an_unset_vector_may_be_passed_to_the_function_that_sets_it() {
    let source = "
        int4 set(int4 result, int a, int4 b) {
            result.x = a * b.x;
            result.y = a + b.y;
            result.z = b.z;
            result.w = b.w;
            return result;
        }
        kernel void k(global int *out) {
            for (int turn = 0; turn < 30; turn++) {
                int4 all;
                all = set(all, 3, (int4)(LID, turn, 100, 200));
                out[LID] = all.x + all.y + all.z + all.w;
            }
        }";
    check(source, |i, _| 3 * i + 332);
}

#[test]
fn constant_tables_of_the_program() {
    let source = "
        constant int2 steps[3] = {(int2)(1, 10), (int2)(2, 20), (int2)(3, 30)};
        constant uchar order[3] = {2, 0, 1};
        kernel void k(global int *out) {
            int2 step = steps[order[LID % 3]];
            out[LID] = step.x + step.y;
        }";
    check(source, |i, _| [33, 11, 22][i as usize % 3]);
}

#[test]
fn dma_runs_once_for_the_group_between_what_surrounds_it() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            out[LID] = LID * 2;
            event_t copied = async_work_group_copy(shared, out, LSIZE, 0);
            wait_group_events(1, &copied);
            out[LID] = shared[LSIZE - 1 - LID] + 1;
        }",
        |i, n| (n - 1 - i) * 2 + 1,
    );
}

#[test]
fn three_dimensions() {
    let source = "kernel void k(global int *out) {
            local int shared[8][4][2];
            uint x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);
            shared[x][y][z] = x * 100 + y * 10 + z;
            BARRIER;
            uint index = get_global_id(0) + 16 * (get_global_id(1) + 8 * get_global_id(2));
            out[index] = shared[7 - x][3 - y][1 - z] * 1000
                + get_group_id(0) * 100 + get_group_id(1) * 10 + get_group_id(2);
        }";
    let result = run(source, [16, 8, 4], [8, 4, 2], 16 * 8 * 4);
    for z in 0..4 {
        for y in 0..8 {
            for x in 0..16 {
                let expected = ((7 - x % 8) * 100 + (3 - y % 4) * 10 + (1 - z % 2)) * 1000
                    + x / 8 * 100
                    + y / 4 * 10
                    + z / 2;
                assert_eq!(result[(x + 16 * (y + 8 * z)) as usize], expected);
            }
        }
    }
}

#[test]
fn local_atomics_keep_every_update() {
    check(
        "kernel void k(global int *out) {
            local int count, least;
            if (LID == 0) { count = 0; least = 1000000; }
            BARRIER;
            __atomic_fetch_add(&count, LID + 1, __ATOMIC_RELAXED);
            __atomic_fetch_min(&least, (int)LID + 3, __ATOMIC_RELAXED);
            int expected = 7;
            __atomic_compare_exchange_n(&count, &expected, 7, false, 0, 0);
            BARRIER;
            out[LID] = count + least;
        }",
        |_, n| n * (n + 1) / 2 + 3,
    );
}

#[test]
fn uniform_loops_are_turned_inside_out() {
    // Nested, with several carried values, a bound that is an argument of the launch,
    // and values of the last iteration used after the loops.
    check(
        "kernel void k(global int *out) {
            int a = LID, b = 1, last = -1;
            uint n = LSIZE + 40;
            for (uint i = 0; i < n; ++i) {
                b += a & i;
                for (uint j = 3; j < n; j += 3) {
                    int t = a;
                    a = a * 3 + b + (int)j;
                    b ^= t;
                    last = (int)(i * j);
                }
                if (a & 1) b += 2;
            }
            out[LID] = a + b + last;
        }",
        |i, n| {
            let n = (n + 40) as u32;
            let (mut a, mut b, mut last) = (i, 1i32, -1i32);
            for i in 0..n {
                b = b.wrapping_add(a & i as i32);
                for j in (3..n).step_by(3) {
                    let t = a;
                    a = a.wrapping_mul(3).wrapping_add(b).wrapping_add(j as i32);
                    b ^= t;
                    last = (i.wrapping_mul(j)) as i32;
                }
                if a & 1 != 0 {
                    b = b.wrapping_add(2);
                }
            }
            a.wrapping_add(b).wrapping_add(last)
        },
    );
}

#[test]
fn loops_that_differ_between_work_items_stay_as_they_are() {
    check(
        "kernel void k(global int *out) {
            int sum = 0;
            if (LID % 3 != 1)
                for (uint i = 0; i < 100; ++i) sum += (int)(i ^ LID) & 15;
            for (uint i = 0; i < LID; ++i) sum += i;
            for (uint i = 0; i < 90; ++i) {
                if (i == LID + 60) break;
                sum += 5;
            }
            out[LID] = sum;
        }",
        |i, _| {
            let mut sum = 0;
            if i % 3 != 1 {
                sum += (0..100).map(|j| (j ^ i) & 15).sum::<i32>();
            }
            sum + (0..i).sum::<i32>() + 5 * (i + 60).min(90)
        },
    );
}

#[test]
fn barriers_in_uniform_loops_with_carried_values() {
    check(
        "kernel void k(global int *out) {
            local int shared[1024];
            int carried = LID, previous = 0;
            for (uint round = 0; round < LSIZE + 3; ++round) {
                shared[LID] = carried + round;
                BARRIER;
                previous = carried;
                carried = shared[(LID + round) % LSIZE] & 0xffff;
                BARRIER;
            }
            out[LID] = carried * 7 + previous;
        }",
        |i, n| {
            let mut all: Vec<i32> = (0..n).collect();
            let mut previous = vec![0; n as usize];
            for round in 0..n + 3 {
                let shared: Vec<i32> = all.iter().map(|c| c + round).collect();
                previous.clone_from(&all);
                all = (0..n)
                    .map(|i| shared[((i + round) % n) as usize] & 0xffff)
                    .collect();
            }
            all[i as usize] * 7 + previous[i as usize]
        },
    );
}

#[test]
fn divisions_without_a_result_raise_no_exception() {
    // What they give is unspecified; the others are right.
    let divisions = [
        ("int", "/", 6),
        ("int", "%", 0),
        ("long", "/", 6),
        ("uint", "/", 6),
        ("ulong", "%", 0),
    ];
    for (ty, operator, expected) in divisions {
        check(
            &format!(
                "kernel void k(global int *out) {{
                    {ty} divisor = (int)LID - 2;
                    {ty} by_zero = 12 {operator} divisor;
                    {ty} least = ({ty})1 << (sizeof({ty}) * 8 - 1);
                    {ty} overflow = least {operator} (divisor - 1);
                    {ty} right = 12 {operator} (({ty})LID + 2 - LID);
                    out[LID] = right + ((by_zero ^ overflow) == 12345 ? 1 : 0);
                }}"
            ),
            |_, _| expected,
        );
    }
    check(
        "typedef char char4 __attribute__((ext_vector_type(4)));
        typedef int int4 __attribute__((ext_vector_type(4)));
        kernel void k(global int *out) {
            int4 divisor = (int4)(LID, 0, -1, 4);
            int4 quotient = (int4)(9, 9, 1 << 31, 9) / divisor;
            char4 remainder = (char4)(9, 9, -128, 9) % (char4)(LID, 0, -1, 4);
            out[LID] = quotient.w * 10 + remainder.w;
        }",
        |_, _| 21,
    );
}

/// Values of each work-item, as large kernels below change them.
fn exchanged(values: &mut [i32], distance: usize) {
    let kept = values.to_vec();
    for (lane, value) in values.iter_mut().enumerate() {
        let other = kept[(lane + distance) % kept.len()];
        *value = value.wrapping_mul(3).wrapping_add(other);
    }
}

/// The output is -1 before: `c`, which the compiler does not know to be the same for all.
const EXCHANGE: &str = "
    #define EXCHANGE(distance) do { kept[LID] = y; BARRIER; \\
        y = y * 3 + kept[(LID + distance) % LSIZE]; BARRIER; } while (0)
    #define BEGIN local int kept[64]; int y = LID; const int c = out[0]; BARRIER;
";

fn check_large(body: &str, change: impl Fn(&mut [i32])) {
    for lanes in [5, 64] {
        check_large_with(lanes, body, &change);
    }
}

fn check_large_with(lanes: usize, body: &str, change: impl Fn(&mut [i32])) {
    let source =
        format!("{EXCHANGE} kernel void k(global int *out) {{ BEGIN {body}\nout[LID] = y; }}");
    let mut expected: Vec<i32> = (0..lanes as i32).collect();
    change(&mut expected);
    let size = [lanes as u64, 1, 1];
    assert_eq!(run(&source, size, size, lanes), expected);
}

#[test]
fn hundreds_of_barriers() {
    let body: String = (0..300)
        .map(|n| format!("EXCHANGE({});\n", n % 5))
        .collect();
    check_large(&body, |values| {
        (0..300).for_each(|n| exchanged(values, n % 5))
    });
}

/// From some number on, regions end where they meet.
#[test]
fn conditional_barriers_one_after_another() {
    for count in [60i32, 300] {
        let step = |n| format!("if ((c + {n}) % 3) EXCHANGE({}); else y ^= {n};\n", n % 5);
        // One size: compiling takes half a minute.
        check_large_with(64, &(0..count).map(step).collect::<String>(), |values| {
            for n in 0..count {
                match (n - 1) % 3 {
                    0 => values.iter_mut().for_each(|value| *value ^= n),
                    _ => exchanged(values, n as usize % 5),
                }
            }
        });
    }
}

/// Work-items leave the loop together, and the barriers that are not executed are others in each
/// round.
#[test]
fn conditional_barriers_in_a_loop() {
    let step = |n| format!("if ((c + {n} + i) % 4 > 1) EXCHANGE({});\n", n % 5);
    let steps: String = (0..60).map(step).collect();
    let body = format!("for (int i = 0; i < 3; ++i) {{ {steps} if (c + i == 0) break; }}");
    // One size: compiling takes half a minute.
    check_large_with(64, &body, |values| {
        for i in 0..2 {
            for n in 0..60i32 {
                if (n + i - 1) % 4 > 1 {
                    exchanged(values, n as usize % 5);
                }
            }
        }
    });
}

/// Each barrier may be followed by a return of the whole group.
#[test]
fn returns_between_conditional_barriers() {
    let step = |n| {
        let distance = n % 5;
        format!(
            "if ((c + {n}) % 3) {{ EXCHANGE({distance}); \
             if (c == {n}) {{ out[LID] = 0; return; }} }}\n"
        )
    };
    check_large(&(0..40).map(step).collect::<String>(), |values| {
        for n in (0..40i32).filter(|n| (n - 1) % 3 != 0) {
            exchanged(values, n as usize % 5);
        }
    });
}

/// On both sides of the number of branches up to which control flow is simplified.
#[test]
fn long_chains_of_else_if() {
    for count in [2000, 3500] {
        let branches: String = (0..count)
            .map(|n| format!("else if (y == {}) y = y * 3 + {n};\n", n * 2))
            .collect();
        // One size: compiling takes a minute.
        check_large_with(64, &format!("if (y < 0) y = 1;\n{branches}"), |values| {
            for value in values.iter_mut().filter(|value| **value % 2 == 0) {
                *value = *value * 3 + *value / 2;
            }
        });
    }
}
