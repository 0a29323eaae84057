//! `MOCL3_DUMP`, as a host program with many threads meets it. One test only: the
//! variable is the process's.

use kernel_compiler::executable::{Executable, Specialisation};
use kernel_compiler::options::{BuildCall, BuildOptions};
use kernel_compiler::stage::Stage;
use std::collections::BTreeSet;
use std::fs;

const SOURCE: &str = "
    kernel void reverse(global int *x, local int *tile) {
        uint i = get_local_id(0);
        tile[i] = x[i] * FACTOR;
        barrier(CLK_LOCAL_MEM_FENCE);
        x[i] = tile[get_local_size(0) - 1 - i];
    }
    kernel void other(global int *x) { *x = 1; }";

#[test]
fn every_kernel_gets_a_folder_of_its_own_with_all_steps() {
    let folder = tempfile::tempdir().unwrap();
    // SAFETY: nothing else runs in this process yet.
    unsafe {
        std::env::set_var("MOCL3_DUMP", folder.path().join("new/folder"));
        std::env::set_var("MOCL3_DUMP_KERNEL", "reverse");
    }
    let compile_all = || {
        let options = BuildOptions::parse("-DFACTOR=3", BuildCall::Build).unwrap();
        let unit = kernel_compiler::compile(SOURCE, &options, &[]).unwrap();
        let program = Executable::link(&[&unit]).unwrap();
        for kernel in 0..program.kernels().len() {
            for width in [4, 16] {
                let wanted = Specialisation {
                    local_size: Some([width, 1, 1]),
                    small_launch: true,
                    ..Default::default()
                };
                let specialisation = program.normalise(kernel, wanted);
                for _again in 0..2 {
                    program
                        .work_group_code(kernel, specialisation.clone())
                        .unwrap();
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(compile_all);
        }
    });

    let dump = folder.path().join("new/folder");
    let names: BTreeSet<String> = fs::read_dir(&dump)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let numbers: Vec<usize> = names
        .iter()
        .map(|name| name[..4].parse().unwrap())
        .collect();
    assert_eq!(numbers, (1..=8).collect::<Vec<_>>(), "{names:?}");
    for width in [4, 16] {
        let end = format!("-reverse-{width}x1x1");
        let count = names.iter().filter(|name| name.ends_with(&end)).count();
        assert_eq!(count, 4, "{names:?}");
    }
    for name in &names {
        let read =
            |step: Stage| fs::read_to_string(dump.join(name).join(step.file_name())).unwrap();
        assert_eq!(read(Stage::Source), SOURCE);
        assert!(read(Stage::Options).contains("FACTOR=3"));
        assert!(read(Stage::FrontEnd).contains("@_Z7barrierj"));
        assert!(read(Stage::Linked).contains("@__mocl3_barrier"));
        assert!(read(Stage::Simplified).contains("define dso_local spir_kernel void @reverse"));
        assert!(read(Stage::Regions).contains("then       region 1 at %barrier"));
        assert!(read(Stage::WorkGroupFunction).contains("define void @mocl3_work_group_function"));
        assert!(read(Stage::Optimised).contains("define void @mocl3_work_group_function"));
        assert!(read(Stage::Assembly).contains("mocl3_work_group_function:"));
        assert!(read(Stage::Resources).contains("2 (1 barriers"));
        assert!(read(Stage::Remarks).starts_with("remarks: kernel `reverse`, work-groups of "));
    }
}
