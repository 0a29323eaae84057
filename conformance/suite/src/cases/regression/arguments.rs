//! Kernel arguments: null and overwritten ones, arrays, structs and vectors.

use crate::compare::equal;
use anyhow::Result;
use bytemuck::{Pod, Zeroable};
use harness::session::{Argument, Session};
use opencl3::error_codes::ClError;
use opencl3::event::{CL_COMPLETE, create_user_event, release_event, set_user_event_status};
use opencl3::kernel::{Kernel, set_kernel_arg};
use opencl3::types::{cl_event, cl_mem};
use std::ptr::{null, null_mut};

/// The two forms of a null buffer in `clSetKernelArg`.
enum NoBuffer {
    NullPointer,
    PointerToNull,
}

impl Argument for NoBuffer {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        let none: cl_mem = null_mut();
        let value = match self {
            Self::NullPointer => null(),
            Self::PointerToNull => (&raw const none).cast(),
        };
        // SAFETY: the value is null, or a handle that is null.
        unsafe { set_kernel_arg(kernel.get(), index, size_of::<cl_mem>(), value) }
            .map_err(ClError)?;
        Ok(())
    }
}

/// A kernel compares its buffer arguments with null. Valid buffers are set before and after null
/// ones.
pub fn null_buffer(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void test(global const float *in, global const float *limits,
                 constant float *offsets, global float *out)
{
    const size_t here = get_global_id(0);
    const float limit = limits ? limits[here] : 0.5f;
    const float offset = offsets ? offsets[0] : 0.0f;
    out[here] = (in[here] > limit ? 1.0f : 0.0f) + offset;
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let items = 1024;
    let mut random = session.random();
    let input = random.floats(items, 0.0, 1.0);
    let limits = random.floats(items, 0.0, 1.0);
    let there = session.buffer(&input)?;
    let limits_there = session.buffer(&limits)?;
    let offsets = session.buffer(&[2.0f32])?;
    let none: [&dyn Argument; 2] = [&NoBuffer::NullPointer, &NoBuffer::PointerToNull];
    let trials: [[&dyn Argument; 2]; 5] = [
        [&limits_there, &offsets],
        [none[0], none[1]],
        [none[1], &offsets],
        [&limits_there, none[0]],
        [none[1], none[0]],
    ];
    for (trial, [limit, offset]) in trials.into_iter().enumerate() {
        let out = session.buffer(&vec![-1.0f32; items])?;
        session.run(&kernel, &[items], &[], &[&there, limit, offset, &out])?;
        let has_limits = matches!(trial, 0 | 3);
        let offset = if matches!(trial, 0 | 2) { 2.0 } else { 0.0 };
        let expected: Vec<f32> = (0..items)
            .map(|item| {
                let limit = if has_limits { limits[item] } else { 0.5 };
                offset + if input[item] > limit { 1.0 } else { 0.0 }
            })
            .collect();
        equal(&format!("trial {trial}"), &session.read(&out)?, &expected)?;
    }
    Ok(())
}

/// Many commands of one kernel wait while its arguments change. The last ones change only the value
/// or only the buffer.
pub fn overwritten(session: &Session) -> Result<()> {
    let program = session.program(
        r"kernel void echo(int input, global int *output)
{
    output[input] = input + 1;
}
",
        "",
    )?;
    let kernel = program.kernel("echo")?;
    let commands = 40;
    let outputs = [
        session.zeros::<i32>(commands)?,
        session.zeros::<i32>(commands)?,
    ];
    let start = create_user_event(session.context.get()).map_err(ClError)?;
    let enqueued = enqueue_all(session, &kernel, &outputs, start);
    // SAFETY: the event is this function's, and is not used after its release.
    unsafe {
        set_user_event_status(start, CL_COMPLETE).map_err(ClError)?;
        release_event(start).map_err(ClError)?;
    }
    enqueued?;
    for (which, output) in outputs.iter().enumerate() {
        let expected: Vec<i32> = (0..commands)
            .map(|input| {
                if input / 2 % 2 == which {
                    input as i32 + 1
                } else {
                    0
                }
            })
            .collect();
        equal(
            &format!("output {which}"),
            &session.read(output)?,
            &expected,
        )?;
    }
    Ok(())
}

fn enqueue_all(
    session: &Session,
    kernel: &Kernel,
    outputs: &[harness::session::Buffer<i32>; 2],
    start: cl_event,
) -> Result<()> {
    for input in 0..outputs[0].len() {
        // Each pair of commands has one output: the second command changes the number only.
        let both: [&dyn Argument; 2] = [&(input as i32), &outputs[input / 2 % 2]];
        let arguments = if input % 2 == 0 {
            &both[..]
        } else {
            &both[..1]
        };
        let sizes = [&[][..], &[1], &[]];
        session.enqueue(&session.queue, kernel, sizes, arguments, &[start])?;
    }
    Ok(())
}

/// Functions sum up a private array with constant contents and one in `__constant` memory through
/// pointers.
pub fn constant_array(session: &Session) -> Result<()> {
    let program = session.program(
        r"constant int table[4][3] = {{10, 20, 30}, {40, 50, 60}, {70, 80, 90}, {1, 2, 3}};

__attribute__((noinline)) int sum(const int *const data, const int count)
{
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += data[i] * (i + 1);
    return sum;
}

__attribute__((noinline)) int sum_constant(constant int *data, const int count)
{
    int sum = 0;
    for (int i = 0; i < count; ++i)
        sum += data[i] * (i + 1);
    return sum;
}

kernel void test(global const int *input, global int2 *output)
{
    const int data[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11};
    const int count = sizeof(data) / sizeof(*data);
    const int row = input[get_global_id(0)];
    output[get_global_id(0)] = (int2)(sum(data + row, count - row), sum_constant(table[row], 3));
}
",
        "",
    )?;
    let kernel = program.kernel("test")?;
    let rows: Vec<i32> = (0..48).map(|item| item * 7 % 4).collect();
    let (input, output) = (session.buffer(&rows)?, session.zeros::<[i32; 2]>(48)?);
    session.run(&kernel, &[48], &[16], &[&input, &output])?;
    let data = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11];
    let table = [[10, 20, 30], [40, 50, 60], [70, 80, 90], [1, 2, 3]];
    let sum = |numbers: &[i32]| -> i32 { (1..).zip(numbers).map(|(i, number)| i * number).sum() };
    let expected: Vec<[i32; 2]> = rows
        .iter()
        .map(|&row| [sum(&data[row as usize..]), sum(&table[row as usize])])
        .collect();
    equal("sums", &session.read(&output)?, &expected)
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Pair {
    first: i32,
    second: i32,
}

#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Nested {
    letter: i8,
    padding: [u8; 3],
    pair: Pair,
    numbers: [u16; 3],
    more_padding: [u8; 6],
    long: i64,
    vector: [f32; 4],
    last: u8,
    end: [u8; 15],
}

const STRUCTS: &str = r"typedef struct { int first, second; } pair_type;

typedef struct {
    char letter;
    pair_type pair;
    ushort numbers[3];
    long whole;
    float4 vector;
    uchar last;
} nested_type;

long fold(nested_type nested)
{
    nested.pair.first += 1;
    return nested.letter + 10L * nested.pair.first + 1000L * nested.pair.second + nested.whole
        + (long)(nested.vector.x + 2 * nested.vector.y + 4 * nested.vector.z + 8 * nested.vector.w)
        + nested.last;
}

kernel void test(int before, pair_type pair, nested_type nested, char between, global long *result,
                 pair_type other)
{
    const size_t here = get_global_id(0);
    nested.letter += here;
    nested.whole += nested.numbers[here % 3];
    pair.second -= here;
    result[2 * here] = fold(nested) + before;
    result[2 * here + 1] = pair.first + 100L * pair.second + 10000L * between
        + 1000000L * (other.first - other.second) + sizeof(nested_type);
}
";

/// Two structs by value between other arguments, changed in the kernel, in two launches.
pub fn structs(session: &Session) -> Result<()> {
    let program = session.program(STRUCTS, "")?;
    let kernel = program.kernel("test")?;
    let items = 33;
    for trial in [1, 5] {
        let pair = Pair {
            first: -3 * trial,
            second: 4 * trial,
        };
        let nested = Nested {
            letter: -2 * trial as i8,
            pair: Pair {
                first: 11 + trial,
                second: -12,
            },
            numbers: [60_000, 2, 300],
            long: -(1 << 40) * i64::from(trial),
            vector: [1.0, -2.0, 3.0, 4.0],
            last: 250,
            ..Nested::zeroed()
        };
        let other = Pair {
            first: 9,
            second: trial,
        };
        let result = session.zeros::<[i64; 2]>(items)?;
        let arguments: [&dyn Argument; 6] =
            [&(100 + trial), &pair, &nested, &-7i8, &result, &other];
        session.run(&kernel, &[items], &[11], &arguments)?;
        let expected: Vec<[i64; 2]> = (0..items)
            .map(|here| {
                let number = i64::from(nested.numbers[here % 3]);
                let fold = i64::from(nested.letter)
                    + here as i64
                    + 10 * i64::from(nested.pair.first + 1)
                    + 1000 * i64::from(nested.pair.second)
                    + nested.long
                    + number
                    + (1 - 4 + 12 + 32)
                    + i64::from(nested.last);
                [
                    fold + 100 + i64::from(trial),
                    i64::from(pair.first) + 100 * (i64::from(pair.second) - here as i64) - 70_000
                        + 1_000_000 * i64::from(other.first - other.second)
                        + size_of::<Nested>() as i64,
                ]
            })
            .collect();
        equal(
            &format!("trial {trial}"),
            &session.read(&result)?,
            &expected,
        )?;
    }
    Ok(())
}

/// One kernel per integer type, with vectors of all widths by value, in an out-of-order queue.
pub fn vectors(session: &Session) -> Result<()> {
    vectors_of::<i8>(session, "char", |number| number as i8)?;
    vectors_of::<u8>(session, "uchar", |number| number as u8)?;
    vectors_of::<i16>(session, "short", |number| number as i16)?;
    vectors_of::<u16>(session, "ushort", |number| number as u16)?;
    vectors_of::<i32>(session, "int", |number| number as i32)?;
    vectors_of::<u32>(session, "uint", |number| number as u32)?;
    vectors_of::<i64>(session, "long", |number| number as i64)?;
    vectors_of::<u64>(session, "ulong", |number| number)?;
    vectors_of::<f32>(session, "float", |number| (number >> 44) as f32 - 1000.0)
}

/// The kernel stores the 33 components of all its vectors, rotated by the work-item's id.
fn vectors_of<T: Pod + PartialEq + std::fmt::Debug>(
    session: &Session,
    name: &str,
    from: fn(u64) -> T,
) -> Result<()> {
    let program = session.program(
        r"#define V_(type, width) type##width
#define V(type, width) V_(type, width)

kernel void test(V(T, 3) three, V(T, 16) sixteen, T one, V(T, 2) two, V(T, 8) eight,
                 V(T, 4) four, global T *result)
{
    T all[34];
    all[0] = one;
    vstore2(two, 0, all + 1);
    vstore3(three, 0, all + 3);
    vstore4(four, 0, all + 6);
    vstore8(eight, 0, all + 10);
    vstore16(sixteen, 0, all + 18);
    const size_t here = get_global_id(0);
    for (size_t i = 0; i < 34; ++i)
        result[here * 34 + i] = all[(i + here) % 34];
}
",
        &format!("-D T={name}"),
    )?;
    let kernel = program.kernel("test")?;
    let mut random = session.random();
    let all: [T; 34] = std::array::from_fn(|_| from(random.bits()));
    let part =
        |first: usize, count: usize| bytemuck::cast_slice::<T, u8>(&all[first..first + count]);
    // A vector of three components has the size of four; the fourth component is undefined.
    let four = &all[3..7];
    let vectors = [
        Bytes(bytemuck::cast_slice(four)),
        Bytes(part(18, 16)),
        Bytes(part(0, 1)),
        Bytes(part(1, 2)),
        Bytes(part(10, 8)),
        Bytes(part(6, 4)),
    ];
    let items = 20;
    let result = session.zeros::<T>(items * 34)?;
    let mut arguments: Vec<&dyn Argument> = Vec::new();
    arguments.extend(vectors.iter().map(|vector| vector as &dyn Argument));
    arguments.push(&result);
    session.run(&kernel, &[items], &[10], &arguments)?;
    let expected: Vec<T> = (0..items)
        .flat_map(|here| (0..34).map(move |i| (i + here) % 34))
        .map(|at| all[at])
        .collect();
    equal(
        &format!("vectors of {name}"),
        &session.read(&result)?,
        &expected,
    )
}

/// An argument as bytes.
struct Bytes<'a>(&'a [u8]);

impl Argument for Bytes<'_> {
    fn set(&self, kernel: &Kernel, index: u32) -> Result<()> {
        // SAFETY: the bytes are copied during the call.
        unsafe { set_kernel_arg(kernel.get(), index, self.0.len(), self.0.as_ptr().cast()) }
            .map_err(ClError)?;
        Ok(())
    }
}
