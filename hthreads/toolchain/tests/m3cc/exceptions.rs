//! Exceptions of several threads.

use crate::tree::{TREE, build_texts};

const KERNEL: &str = "#include \"hthread_device.h\"

__global__ void fails(void)
{
    dsp_abort(23);
}
";

/// Ends as soon as it knows of an exception.
const PROGRAM: &str = "#include \"hthread_host.h\"
#include <unistd.h>

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    _exit(hthread_group_wait(hthread_group_create(0, 24, \"fails\", 0, 0, NULL)));
}
";

#[test]
fn all_exceptions_of_a_round_are_reported_before_the_program_knows_of_one() {
    let folder = tempfile::tempdir().unwrap();
    build_texts(folder.path(), KERNEL, PROGRAM, "-O2");
    for _ in 0..10 {
        let output = TREE.run("./program", folder.path());
        assert_eq!(output.status.code(), Some(23));
        let errors = String::from_utf8_lossy(&output.stderr);
        let reported = errors.matches("EXC_SM_MALLOC_ERROR").count();
        assert_eq!(reported, 24, "{errors}");
    }
}
