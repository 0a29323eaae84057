//! Compilations that cannot end well: the build fails, or the launch, and the program continues.

use crate::process::{compile, run_with};
use crate::session::{Session, ok};
use cl_sys::{CL_BUILD_PROGRAM_FAILURE, CL_SUCCESS};
use std::ptr::null_mut;

#[test]
fn deep_nesting_builds_or_fails_with_a_log() {
    let session = Session::open();
    let deep = [
        format!("*x = {} *x;", "- ".repeat(20_000)),
        format!("*x = {} *x;", "(int)".repeat(10_000)),
        format!("*x = {} *x;", "~".repeat(50_000)),
        format!("*x = {} *x;", "!".repeat(100_000)),
        format!("int y; {} 1;", "y=".repeat(4_000)),
        format!(
            "int y[1]; *x = {}0{};",
            "y[".repeat(50_000),
            "]".repeat(50_000)
        ),
        format!("{} *x = 1;", "for (;;)".repeat(4_000)),
        format!("*x = {};", "*x ? 1 : ".repeat(2_000) + "2"),
    ];
    for body in deep {
        let program = session.program(&format!("kernel void k(global int *x) {{ {body} }}"));
        let code = session.build(program, "");
        if code != CL_SUCCESS {
            assert_eq!(code, CL_BUILD_PROGRAM_FAILURE);
            let log = session.log(program);
            let is_clear = log.contains("nested too deeply") || log.contains("nesting level");
            assert!(is_clear, "{:.40}: {log:.1000}", body);
        }
        let kernel = session.kernel_of(
            session.built("kernel void k(global int *x) { *x = 5; }"),
            "k",
        );
        let buffer = session.buffer(&[0i32]);
        ok(session.set(kernel, 0, &buffer));
        ok(session.launch(session.queue, kernel, &[1], None, &[], null_mut()));
        assert_eq!(session.read::<i32>(buffer, 1), [5]);
    }
}

#[test]
fn fault_handlers_of_the_program_stay_and_get_its_faults_alone() {
    run_with(&compile("fault_handlers"), &[]);
}

#[test]
fn limits_of_time_and_memory_are_named_in_the_log() {
    let program = compile("scarce");
    for (name, value, sentence) in [
        (
            "MOCL3_BUILD_SECONDS",
            "0.000001",
            "more than 0.000001 s, the limit of MOCL3_BUILD_SECONDS",
        ),
        (
            "MOCL3_BUILD_MEMORY",
            "1",
            "more than 1 bytes, the limit of MOCL3_BUILD_MEMORY",
        ),
    ] {
        let printed = run_with(&program, &[(name, value)]);
        assert!(
            printed.starts_with("clBuildProgram: -11: error: "),
            "{printed}"
        );
        assert!(printed.contains(sentence), "{printed}");
    }
    let generous = [
        ("MOCL3_BUILD_SECONDS", "3600"),
        ("MOCL3_BUILD_MEMORY", "100G"),
    ];
    assert_eq!(run_with(&program, &generous), "success\n");
}

#[test]
fn limits_hold_for_kernels_that_are_compiled_at_their_launch() {
    let program = compile("scarce");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    let cache = [("MOCL3_CACHE", "1"), ("MOCL3_CACHE_DIR", folder)];
    let with = |more: (&'static str, &'static str)| {
        let variables: Vec<_> = cache.into_iter().chain([more]).collect();
        run_with(&program, &variables)
    };
    assert_eq!(with(("BUILD_ONLY", "1")), "");
    // The build comes from the cache.
    let printed = with(("MOCL3_BUILD_SECONDS", "0.000001"));
    assert_eq!(printed, "clEnqueueNDRangeKernel: -5\n");
    assert_eq!(with(("MOCL3_BUILD_SECONDS", "0")), "success\n");
}
