//! Vectorised kernels: atomic operations that become one for all lanes, the vectorised dimension,
//! private arrays.

use crate::process::{compile, run_with};
use crate::session::{Session, ok};
use std::ptr::null_mut;

/// An operation in its four forms, each at an address of its own: global or local, the result
/// used or not; by some work-items with operands of their own. By all work-items then with one
/// operand for all.
const ATOMICS: &str = "
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#define TEST(NAME, T, DO)                                                        \\
  kernel void NAME(global const T *from, global T *at, global T *results) {      \\
    local T kept[4];                                                             \\
    size_t i = get_local_id(0), n = get_local_size(0);                           \\
    if (i < 4)                                                                   \\
      kept[i] = at[i];                                                           \\
    barrier(CLK_LOCAL_MEM_FENCE);                                                \\
    T x = from[i];                                                               \\
    if ((x & 3) != 1) {                                                          \\
      DO(at, x);                                                                 \\
      results[i] = DO(at + 1, x);                                                \\
      DO(kept, x);                                                               \\
      results[n + i] = DO(kept + 1, x);                                          \\
    }                                                                            \\
    DO(at + 2, (T)5);                                                            \\
    results[2 * n + i] = DO(at + 3, (T)5);                                       \\
    DO(kept + 2, (T)5);                                                          \\
    results[3 * n + i] = DO(kept + 3, (T)5);                                     \\
    barrier(CLK_LOCAL_MEM_FENCE);                                                \\
    if (i < 4)                                                                   \\
      at[4 + i] = kept[i];                                                       \\
  }
#define INC(P, X) atom_inc(P)
#define DEC(P, X) atom_dec(P)
#define ALL(T)              \\
  TEST(add_##T, T, atom_add) \\
  TEST(sub_##T, T, atom_sub) \\
  TEST(inc_##T, T, INC)      \\
  TEST(dec_##T, T, DEC)      \\
  TEST(and_##T, T, atom_and) \\
  TEST(or_##T, T, atom_or)   \\
  TEST(xor_##T, T, atom_xor) \\
  TEST(min_##T, T, atom_min) \\
  TEST(max_##T, T, atom_max)
ALL(int)
ALL(uint)
ALL(long)
ALL(ulong)
";

/// What an operation leaves in memory, of what was there and its operand.
type Does<T> = fn(T, T) -> T;

/// Runs the kernels of one type and compares with one work-item after the other. Groups of 100:
/// some lanes are left over.
fn atomics_agree_with_sequential_execution<T>(
    session: &Session,
    name: &str,
    operands: [T; 100],
    before: T,
    five: T,
    takes_part: fn(T) -> bool,
    operations: &[(&str, Does<T>)],
) where
    T: Copy + Default + PartialEq + std::fmt::Debug,
{
    let program = session.built(ATOMICS);
    for (operation, does) in operations {
        let mut at = [before; 8];
        let mut results = vec![T::default(); 400];
        for (i, &operand) in operands.iter().enumerate() {
            let mut each = |place: usize, slot: usize, operand| {
                results[slot * 100 + i] = at[place];
                at[place] = does(at[place], operand);
            };
            if takes_part(operand) {
                each(0, 0, operand);
                each(1, 0, operand);
                each(4, 1, operand);
                each(5, 1, operand);
            }
            for (place, slot) in [(2, 2), (3, 2), (6, 3), (7, 3)] {
                each(place, slot, five);
            }
        }
        let kernel = session.kernel_of(program, &format!("{operation}_{name}"));
        let from = session.buffer(&operands);
        let places = session.buffer(&[before; 8]);
        let found = session.buffer(&[T::default(); 400]);
        for (index, argument) in [from, places, found].iter().enumerate() {
            ok(session.set(kernel, index as u32, argument));
        }
        ok(session.launch(session.queue, kernel, &[100], Some(&[100]), &[], null_mut()));
        assert_eq!(session.read::<T>(places, 8), at, "{operation} of {name}");
        let found = session.read::<T>(found, 400);
        assert_eq!(found, results, "{operation} of {name}");
    }
}

macro_rules! atomics {
    ($session:expr, $type:ty, $name:literal) => {
        atomics_agree_with_sequential_execution::<$type>(
            $session,
            $name,
            // High and low bits in no order.
            std::array::from_fn(|i| {
                (i as $type + 7)
                    .wrapping_mul(0x9e37_79b9_7f4a_7c15_u64 as $type)
                    .rotate_left(i as u32)
            }),
            (0x1234_5678_9abc_def3_u64 as $type).rotate_left(1),
            5,
            |operand| operand & 3 != 1,
            &[
                ("add", <$type>::wrapping_add),
                ("sub", <$type>::wrapping_sub),
                ("inc", |memory, _| memory.wrapping_add(1)),
                ("dec", |memory, _| memory.wrapping_sub(1)),
                ("and", |memory, operand| memory & operand),
                ("or", |memory, operand| memory | operand),
                ("xor", |memory, operand| memory ^ operand),
                ("min", <$type>::min),
                ("max", <$type>::max),
            ],
        )
    };
}

#[test]
fn atomics_of_all_lanes_at_one_address_agree_with_sequential_execution() {
    let session = Session::open();
    atomics!(&session, i32, "int");
    atomics!(&session, u32, "uint");
    atomics!(&session, i64, "long");
    atomics!(&session, u64, "ulong");
}

/// Every work-item that takes part has a place to itself, whatever groups there are.
#[test]
fn work_items_find_places_by_a_counter() {
    const COUNT: usize = 10_007;
    let session = Session::open();
    let kernel = session.kernel(
        "kernel void compact(global const int *from, global int *to, global int *count) {
             size_t i = get_global_id(0);
             if (from[i] % 3)
                 to[atomic_inc(count)] = from[i];
         }",
        "compact",
    );
    let from: Vec<i32> = (0..COUNT as i32).map(|i| i.wrapping_mul(7919)).collect();
    let mut expected: Vec<i32> = from.iter().copied().filter(|x| x % 3 != 0).collect();
    for local_size in [None, Some([1usize])] {
        let to = session.buffer(&[-1i32; COUNT]);
        let count = session.buffer(&[0i32]);
        let from = session.buffer(&from);
        for (index, argument) in [from, to, count].iter().enumerate() {
            ok(session.set(kernel, index as u32, argument));
        }
        let size = local_size.as_ref().map(<[usize; 1]>::as_slice);
        ok(session.launch(session.queue, kernel, &[COUNT], size, &[], null_mut()));
        assert_eq!(session.read::<i32>(count, 1), [expected.len() as i32]);
        let mut found = session.read::<i32>(to, COUNT);
        assert!(found[expected.len()..].iter().all(|x| *x == -1));
        found.truncate(expected.len());
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected);
    }
}

/// Work-items that are neighbours along y write neighbouring places.
#[test]
fn lanes_lie_where_what_they_touch_is_one_after_another() {
    let session = Session::open();
    let source = "kernel __attribute__((reqd_work_group_size(16, 16, 1)))
        void transposed(global const int *from, global int *to, int height) {
            int x = get_global_id(0), y = get_global_id(1);
            to[x * height + y] = from[y * get_global_size(0) + x];
        }
        kernel __attribute__((reqd_work_group_size(16, 16, 1)))
        void copied(global const int *from, global int *to) {
            int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
            to[at] = from[at];
        }";
    let program = session.built_with(source, "-cl-mocl3-remarks");
    let log = session.log(program);
    let (transposed, copied) = log
        .split_once("remarks: kernel `copied`")
        .unwrap_or_else(|| panic!("{log}"));
    assert!(transposed.contains(" lanes along y: "), "{log}");
    assert!(copied.contains(" lanes along x: "), "{log}");

    const WIDTH: usize = 32;
    const HEIGHT: usize = 48;
    let kernel = session.kernel_of(program, "transposed");
    let numbers: Vec<i32> = (0..(WIDTH * HEIGHT) as i32).collect();
    let from = session.buffer(&numbers);
    let to = session.buffer(&vec![0i32; WIDTH * HEIGHT]);
    ok(session.set(kernel, 0, &from));
    ok(session.set(kernel, 1, &to));
    ok(session.set(kernel, 2, &(HEIGHT as i32)));
    let sizes = [WIDTH, HEIGHT];
    ok(session.launch(
        session.queue,
        kernel,
        &sizes,
        Some(&[16, 16]),
        &[],
        null_mut(),
    ));
    let expected: Vec<i32> = (0..WIDTH * HEIGHT)
        .map(|i| (i % HEIGHT * WIDTH + i / HEIGHT) as i32)
        .collect();
    assert_eq!(session.read::<i32>(to, WIDTH * HEIGHT), expected);
}

/// Tiles in local memory that are stored column by column, and loaded so, for several rows at once.
#[test]
fn tiles_are_transposed() {
    const WIDTH: usize = 16;
    let session = Session::open();
    let source = "
        kernel __attribute__((reqd_work_group_size(16, HEIGHT, 1)))
        void transposed(global const T *from, global T *to) {
            local T tile[16][HEIGHT], other[16][HEIGHT + 1];
            int x = get_local_id(0), y = get_local_id(1), i = 16 * y + x;
            tile[x][y] = from[i];
            other[i / HEIGHT][i % HEIGHT] = from[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            to[i] = tile[i / HEIGHT][i % HEIGHT];
            to[16 * HEIGHT + i] = other[x][y];
        }";
    for (ty, bytes) in [("float", 4), ("uint", 4), ("double", 8), ("long", 8)] {
        for height in [16, 12, 6] {
            let options = format!("-DT={ty} -DHEIGHT={height} -cl-mocl3-remarks");
            let program = session.built_with(source, &options);
            let log = session.log(program);
            assert!(log.contains("unroll-and-jam: "), "{options}: {log}");
            let kernel = session.kernel_of(program, "transposed");
            let count = WIDTH * height;
            // All bits of the elements matter.
            let from: Vec<u8> = (0..count * bytes).map(|i| (i * 37 % 251) as u8).collect();
            let of_element = |i: usize| &from[i * bytes..][..bytes];
            let to = session.buffer(&vec![0u8; 2 * count * bytes]);
            ok(session.set(kernel, 0, &session.buffer(&from)));
            ok(session.set(kernel, 1, &to));
            let size = [WIDTH, height];
            ok(session.launch(session.queue, kernel, &size, Some(&size), &[], null_mut()));
            let stored = (0..count).map(|i| of_element(i % height * WIDTH + i / height));
            let loaded = (0..count).map(|i| of_element(i % WIDTH * height + i / WIDTH));
            let expected: Vec<u8> = stored.chain(loaded).flatten().copied().collect();
            assert_eq!(
                session.read::<u8>(to, expected.len()),
                expected,
                "{options}"
            );
        }
    }
}

/// Indices that differ between lanes by constants though not by equal steps, with all work-items and
/// with some.
#[test]
fn lanes_access_elements_at_constant_differences() {
    const SIZE: usize = 64;
    const EXTENT: usize = 256;
    type Place = fn(usize) -> usize;
    // The last of work-items that store to one place is not defined.
    const PLACES: [(&str, Place, bool); 10] = [
        ("(i & 7) + (i >> 3) * 16", |i| i % 8 + i / 8 * 16, true),
        ("i ^ 5", |i| i ^ 5, true),
        ("2 * i - (i & 3)", |i| 2 * i - i % 4, true),
        ("2 * i - (i & 3) + 4", |i| 2 * i - i % 4 + 4, true),
        ("i / 4", |i| i / 4, false),
        ("i & 3", |i| i % 4, false),
        ("(i & 3) << 4 | i >> 2", |i| i % 4 * 16 + i / 4, true),
        ("(i | 15) - (i & 15)", |i| i / 16 * 16 + 15 - i % 16, true),
        ("i % 8 * 8 + i / 8", |i| i % 8 * 8 + i / 8, true),
        ("255 - 2 * i", |i| 255 - 2 * i, true),
    ];
    let session = Session::open();
    let kernels = PLACES
        .iter()
        .enumerate()
        .map(|(number, (place, _, stores))| {
            let store = if *stores {
                format!("to[base + ({place})] = from[i];")
            } else {
                String::new()
            };
            format!(
                "kernel void at{number}(global const T *from, global T *to,
                                    global const uchar *active, int base) {{
                 int i = get_local_id(0);
                 if (active[i]) {{
                     {store}
                     to[{EXTENT} + i] = from[base + ({place})];
                 }}
             }}"
            )
        });
    let source: String = kernels.collect();
    let types = ["uchar", "ushort2", "float", "float2", "double", "float4"];
    for (ty, bytes) in types.into_iter().zip([1, 4, 4, 8, 8, 16]) {
        let program = session.built_with(&source, &format!("-DT={ty}"));
        let from: Vec<u8> = (0..EXTENT * bytes).map(|i| (i * 37 % 251) as u8).collect();
        let of_element = |i: usize| &from[i * bytes..][..bytes];
        for (number, (place, at, stores)) in PLACES.into_iter().enumerate() {
            let kernel = session.kernel_of(program, &format!("at{number}"));
            for (count, each) in [(SIZE, 1), (24, 1), (SIZE, 3)] {
                let active: Vec<u8> = (0..count).map(|i| u8::from(i % each == 0)).collect();
                let mut expected = vec![0u8; (EXTENT + SIZE) * bytes];
                for i in (0..count).step_by(each) {
                    if stores {
                        expected[at(i) * bytes..][..bytes].copy_from_slice(of_element(i));
                    }
                    expected[(EXTENT + i) * bytes..][..bytes].copy_from_slice(of_element(at(i)));
                }
                let to = session.buffer(&vec![0u8; expected.len()]);
                ok(session.set(kernel, 0, &session.buffer(&from)));
                ok(session.set(kernel, 1, &to));
                ok(session.set(kernel, 2, &session.buffer(&active)));
                ok(session.set(kernel, 3, &0i32));
                let size = [count];
                ok(session.launch(session.queue, kernel, &size, Some(&size), &[], null_mut()));
                assert_eq!(
                    session.read::<u8>(to, expected.len()),
                    expected,
                    "{ty} at {place}, {count} work-items, each {each}th active"
                );
            }
        }
    }
}

/// Each work-item loads neighbouring elements, and stores as many in another order; by all work-items
/// and by some, from one buffer to another and within one, where a store precedes a load.
#[test]
fn lanes_access_neighbouring_elements() {
    const COUNT: usize = 71;
    let session = Session::open();
    let source = "
        kernel void turned(global const T *from, global T *to, global const uchar *active) {
            size_t i = get_global_id(0);
            if (active[i]) {
                T loaded[N];
                for (int k = 0; k < N; k++)
                    loaded[k] = from[N * i + k];
                for (int k = N - 1; k >= 0; k--)
                    to[N * i + k] = loaded[(k + 1) % N];
            }
        }
        kernel void summed(global const T *from, global T *to, global const uchar *active) {
            size_t i = get_global_id(0);
            if (active[i])
                for (int k = 1; k < N; k++)
                    to[N * i + k] = from[N * i + k - 1] + from[N * i + k];
        }";
    for ty in ["int", "long", "uchar"] {
        for n in [2, 3, 4] {
            let program = session.built_with(source, &format!("-DT={ty} -DN={n}"));
            let bytes = match ty {
                "int" => 4,
                "long" => 8,
                _ => 1,
            };
            // Sums of the lowest bytes of elements stay below 256.
            let numbers: Vec<u8> = (0..COUNT * n).map(|i| (i % 37) as u8).collect();
            let elements = |numbers: &[u8]| -> Vec<u8> {
                let mut elements = vec![0; numbers.len() * bytes];
                for (element, number) in elements.chunks_mut(bytes).zip(numbers) {
                    element[0] = *number;
                }
                elements
            };
            for each in [1, 3] {
                let active: Vec<u8> = (0..COUNT).map(|i| u8::from(i % each == 0)).collect();
                let (mut turned, mut summed) = (numbers.clone(), numbers.clone());
                for first in (0..COUNT).step_by(each).map(|i| i * n) {
                    turned[first..][..n].rotate_left(1);
                    for k in first + 1..first + n {
                        summed[k] += summed[k - 1];
                    }
                }
                for (name, expected) in [("turned", turned), ("summed", summed)] {
                    let kernel = session.kernel_of(program, name);
                    let (from, to) = (elements(&numbers), session.buffer(&elements(&numbers)));
                    let is_in_place = name == "summed";
                    let from = if is_in_place {
                        to
                    } else {
                        session.buffer(&from)
                    };
                    ok(session.set(kernel, 0, &from));
                    ok(session.set(kernel, 1, &to));
                    ok(session.set(kernel, 2, &session.buffer(&active)));
                    ok(session.launch(session.queue, kernel, &[COUNT], None, &[], null_mut()));
                    assert_eq!(
                        session.read::<u8>(to, COUNT * n * bytes),
                        elements(&expected),
                        "{name}, {n} of {ty}, each {each}th active"
                    );
                }
            }
        }
    }
}

/// Work-items of one dimension that compute the row and the column of an element, in rows that end anywhere in a vector.
#[test]
fn lanes_access_rows_and_columns_of_one_index() {
    const SIZE: usize = 192;
    const PITCH: usize = 200;
    const SOURCE: &str = "
    #define COPY(T)                                                                               \\
      kernel void copy_##T(global const float *from, global float *to, T width, T pitch, T rows) { \\
        T i = get_global_id(0), row = i / width, column = i % width;                              \\
        if (row < rows)                                                                           \\
          to[row * pitch + column + 1] = from[row * pitch + column] + from[row];                  \\
      }
    COPY(int)
    COPY(uint)
    COPY(long)
    COPY(ulong)
    ";
    let session = Session::open();
    let program = session.built(SOURCE);
    let from: Vec<f32> = (0..SIZE * PITCH).map(|number| number as f32).collect();
    for (ty, is_long) in [
        ("int", false),
        ("uint", false),
        ("long", true),
        ("ulong", true),
    ] {
        let kernel = session.kernel_of(program, &format!("copy_{ty}"));
        for (width, rows) in [
            (1, SIZE),
            (3, 60),
            (7, 9),
            (16, 12),
            (60, 3),
            (64, 2),
            (100, 2),
        ] {
            let mut expected = vec![0.0f32; from.len()];
            for (row, column) in (0..SIZE).map(|i| (i / width, i % width)) {
                if row < rows {
                    let at = row * PITCH + column;
                    expected[at + 1] = from[at] + from[row];
                }
            }
            let to = session.buffer(&vec![0.0f32; from.len()]);
            ok(session.set(kernel, 0, &session.buffer(&from)));
            ok(session.set(kernel, 1, &to));
            for (index, number) in (2..).zip([width, PITCH, rows]) {
                match is_long {
                    true => ok(session.set(kernel, index, &(number as u64))),
                    false => ok(session.set(kernel, index, &(number as u32))),
                }
            }
            ok(session.launch(session.queue, kernel, &[SIZE], Some(&[64]), &[], null_mut()));
            let found = session.read::<f32>(to, from.len());
            assert!(found == expected, "{ty} {width} {rows}");
        }
    }
}

/// Private arrays begin with zeros, with constants and with copies, for all work-items and for
/// some.
#[test]
fn private_arrays_are_filled_lane_by_lane() {
    const COUNT: usize = 71;
    const ROUNDS: i32 = 21;
    let session = Session::open();
    let kernel = session.kernel(
        "struct table { int numbers[6]; };
         #define EIGHT 7, 7, 7, 7, 7, 7, 7, 7
         kernel void filled(global const int *from, global const struct table *tables,
                            global int *to, int rounds) {
             size_t i = get_global_id(0);
             int x = from[i];
             int sums[16] = {0};
             short weights[6] = {3, -1, 4, 1, -5, 9};
             uchar sevens[40] = {EIGHT, EIGHT, EIGHT, EIGHT, EIGHT};
             struct table mine = tables[i & 3];
             for (int r = 0; r < rounds; r++)
                 sums[(x + r) & 15] += weights[r % 6] * mine.numbers[r % 6];
             sevens[x & 31] = x;
             if (x & 1) {
                 int more[12] = {10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};
                 for (int r = 0; r < rounds; r++)
                     more[r % 12] += sums[r & 15];
                 sums[x & 7] = more[x % 12];
             }
             int sum = 0;
             for (int r = 0; r < rounds; r++)
                 sum = 3 * sum + sums[r & 15] + sevens[r];
             to[i] = sum;
         }",
        "filled",
    );
    let from: [i32; COUNT] = std::array::from_fn(|i| (i * i % 97) as i32);
    let tables: [i32; 24] = std::array::from_fn(|i| 5 * i as i32 - 40);
    let expected: Vec<i32> = (0..COUNT)
        .map(|i| {
            let x = from[i];
            let (mut sums, mut sevens) = ([0i32; 16], [7u8; 40]);
            let mine = &tables[6 * (i % 4)..];
            for r in 0..ROUNDS {
                let weight = [3, -1, 4, 1, -5, 9][r as usize % 6];
                sums[((x + r) & 15) as usize] += weight * mine[r as usize % 6];
            }
            sevens[(x & 31) as usize] = x as u8;
            if x & 1 == 1 {
                let mut more: [i32; 12] = std::array::from_fn(|i| 10 * (i as i32 + 1));
                for r in 0..ROUNDS as usize {
                    more[r % 12] += sums[r % 16];
                }
                sums[(x & 7) as usize] = more[(x % 12) as usize];
            }
            (0..ROUNDS as usize).fold(0i32, |sum, r| {
                let sum = sum.wrapping_mul(3).wrapping_add(sums[r % 16]);
                sum.wrapping_add(i32::from(sevens[r]))
            })
        })
        .collect();
    let arguments = [
        session.buffer(&from),
        session.buffer(&tables),
        session.buffer(&[0i32; COUNT]),
    ];
    for (index, argument) in arguments.iter().enumerate() {
        ok(session.set(kernel, index as u32, argument));
    }
    ok(session.set(kernel, 3, &ROUNDS));
    ok(session.launch(
        session.queue,
        kernel,
        &[COUNT],
        Some(&[COUNT]),
        &[],
        null_mut(),
    ));
    assert_eq!(session.read::<i32>(arguments[2], COUNT), expected);
}

/// Also where the host has no masked load, and code loads whole vectors.
#[test]
fn lanes_read_nothing_behind_a_buffer() {
    let program = compile("end_of_mapping");
    for level in ["x86-64", "x86-64-v2", "x86-64-v3"] {
        for lanes in ["8", "16", "32"] {
            let variables = [("MOCL3_HOST_CPU", level), ("MOCL3_LANES", lanes)];
            assert_eq!(
                run_with(&program, &variables),
                "as expected\n",
                "{variables:?}"
            );
        }
    }
}
