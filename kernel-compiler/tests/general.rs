//! `MOCL3_SPECIALISE=0`: one version of each kernel, for everything. One test only: the
//! variable is the process's.

use kernel_compiler::executable::{Executable, Specialisation};
use kernel_compiler::options::{BuildCall, BuildOptions};
use std::sync::Arc;

const SOURCE: &str = "
    kernel void any(global int *x) { x[get_global_id(0)] = get_local_size(0); }
    kernel __attribute__((reqd_work_group_size(4, 1, 1)))
    void four(global int *x) { x[get_global_id(0)] = get_local_size(0); }";

#[test]
fn a_kernel_has_one_version_whatever_is_wanted() {
    // SAFETY: nothing else runs in this process yet.
    unsafe { std::env::set_var("MOCL3_SPECIALISE", "0") };
    let options = BuildOptions::parse("", BuildCall::Build).unwrap();
    let unit = kernel_compiler::compile(SOURCE, &options, &[]).unwrap();
    let program = Executable::link(&[&unit]).unwrap();
    for kernel in 0..2 {
        let wanted = |local_size, small_launch| {
            let wanted = Specialisation {
                local_size,
                small_launch,
                ..Default::default()
            };
            program.normalise(kernel, wanted)
        };
        let code = |wanted| program.work_group_code(kernel, wanted).unwrap();
        let general = code(wanted(None, false));
        for special in [
            wanted(Some([4, 1, 1]), true),
            wanted(Some([64, 2, 1]), false),
            wanted(None, true),
        ] {
            assert!(Arc::ptr_eq(&general, &code(special)));
        }
        // Its code reads the local size.
        let name = &program.kernels()[kernel].name;
        let mut text = OneStep(String::new());
        program
            .compile_for_inspection(kernel, wanted(Some([4, 1, 1]), true), &mut text)
            .unwrap();
        let constants = ["store i32 4,", "splat (i32 4)", "<i32 4, i32 4"];
        let found = constants
            .iter()
            .find(|constant| text.0.contains(**constant));
        assert_eq!(
            found, None,
            "{name} takes its size for granted:\n{}",
            text.0
        );
    }
}

/// Keeps the work-group function.
struct OneStep(String);

impl kernel_compiler::stage::Observer for OneStep {
    fn wants(&self, step: kernel_compiler::stage::Stage) -> bool {
        step == kernel_compiler::stage::Stage::Optimised
    }

    fn see(&mut self, step: kernel_compiler::stage::Stage, text: &str) {
        if self.wants(step) {
            self.0 = text.to_owned();
        }
    }
}
