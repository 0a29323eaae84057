//! Compiles a kernel and runs it on this thread, group after group.

use host_exec::work_group::{NdRange, WorkGroupContext};
use kernel_compiler::executable::{Executable, Specialisation};
use kernel_compiler::options::{BuildCall, BuildOptions};

/// A linked program.
pub fn executable(source: &str) -> std::sync::Arc<Executable> {
    executable_with("", source)
}

/// A linked program, built with these options.
pub fn executable_with(options: &str, source: &str) -> std::sync::Arc<Executable> {
    let options = BuildOptions::parse(options, BuildCall::Build).unwrap();
    let unit = kernel_compiler::compile(source, &options, &[])
        .unwrap_or_else(|failure| panic!("{failure}"));
    Executable::link(&[&unit]).unwrap_or_else(|failure| panic!("{failure}"))
}

/// Aligned as the largest vector.
#[repr(align(128))]
#[derive(Clone)]
struct Line([u8; 128]);

fn lines(bytes: usize) -> Vec<Line> {
    vec![Line([0; 128]); bytes.div_ceil(128) + 1]
}

/// Runs `kernel void k(global const A *in, global B *out)` for each element.
pub fn map<A: Copy, B: Copy>(source: &str, input: &[A]) -> Vec<B> {
    launch(source, input, input.len(), [input.len(); 2])
}

/// Runs the first kernel, `(global const A *in, global B *out)`, and gives `outputs`
/// elements of `out`, which are zero before. `sizes`: work-items in all and of a group.
pub fn launch<A: Copy, B: Copy>(
    source: &str,
    input: &[A],
    outputs: usize,
    sizes: [usize; 2],
) -> Vec<B> {
    run(&executable(source), input, outputs, sizes)
}

/// As `launch`, of a program that is linked already.
pub fn run<A: Copy, B: Copy>(
    program: &Executable,
    input: &[A],
    outputs: usize,
    sizes: [usize; 2],
) -> Vec<B> {
    let version = program.normalise(
        0,
        Specialisation {
            local_size: None,
            small_launch: true,
            ..Default::default()
        },
    );
    let code = program
        .work_group_code(0, version)
        .unwrap_or_else(|failure| panic!("{failure}"));
    // Aligned as the largest vector, as buffers are.
    let mut aligned = lines(size_of_val(input));
    // SAFETY: there is room for the elements, which are plain numbers.
    unsafe {
        aligned
            .as_mut_ptr()
            .cast::<A>()
            .copy_from_nonoverlapping(input.as_ptr(), input.len());
    }
    let mut output = lines(outputs * size_of::<B>());
    let mut block = Line([0; 128]);
    block.0[..8].copy_from_slice(&(aligned.as_ptr() as u64).to_ne_bytes());
    block.0[8..16].copy_from_slice(&(output.as_mut_ptr() as u64).to_ne_bytes());
    let [items, group] = sizes.map(|size| size as u64);
    let nd_range = NdRange {
        work_dimensions: 1,
        global_offset: [0; 3],
        global_size: [items, 1, 1],
        local_size: [group, 1, 1],
        group_count: [items / group, 1, 1],
    };
    let mut private = lines(code.private_bytes(group) as usize);
    let mut local = lines(code.local_memory_bytes as usize);
    for number in 0..items / group {
        let context = WorkGroupContext {
            nd_range,
            group_id: [number, 0, 0],
            local_memory: local.as_mut_ptr().cast(),
            private_memory: private.as_mut_ptr().cast(),
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
        // SAFETY: the block is laid out as the kernel's interface says, and both
        // memories have the sizes that the code requires.
        unsafe { (code.function)(block.0.as_ptr(), &context) };
    }
    let results = output.as_ptr().cast::<B>();
    // SAFETY: the storage has room for that many, and all of it is initialised.
    (0..outputs)
        .map(|i| unsafe { results.add(i).read() })
        .collect()
}
