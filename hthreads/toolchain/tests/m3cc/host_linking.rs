//! How host programs name the host library.

use crate::tree::{TREE, build_texts};

const KERNEL: &str = "__global__ void nothing(void) {}
";

const PROGRAM: &str = "#include \"hthread_host.h\"
#include <stdio.h>

int main(void)
{
    hthread_dev_open(0);
    hthread_dat_load(0, \"kernel.dat\");
    printf(\"%d\\n\", hthread_group_wait(hthread_group_create(0, 2, \"nothing\", 0, 0, NULL)));
    return hthread_dev_close(0);
}
";

/// A program linked with `options` runs without further settings.
fn link_line(options: &str) -> String {
    let tree = TREE.folder().display();
    let options = options.replace("LIB", &format!("{tree}/hthreads/lib"));
    format!(
        "gcc -I{tree}/hthreads/include program.c {options} -lpthread -Wl,--allow-shlib-undefined -o program"
    )
}

#[test]
fn programs_run_however_they_name_the_library() {
    let folder = tempfile::tempdir().unwrap();
    build_texts(folder.path(), KERNEL, PROGRAM, "-include hthread_device.h");
    for options in [
        "LIB/libhthread_host.a",
        "-static-libgcc LIB/libhthread_host.a",
        "-LLIB -l:libhthread_host.a",
        "-no-pie -flto -Wl,--whole-archive LIB/libhthread_host.a -Wl,--no-whole-archive",
        "LIB/libhthread_host.so",
        "-LLIB -lhthread_host -Wl,-rpath,LIB",
    ] {
        let line = format!("{} && ./program", link_line(options));
        assert_eq!(TREE.succeed(&line, folder.path()), "0\n", "{options}");
    }
    // The library is shared.
    for options in [
        "-LLIB -Wl,-Bstatic -lhthread_host -Wl,-Bdynamic",
        "-static LIB/libhthread_host.a",
    ] {
        let output = TREE.run(&link_line(options), folder.path());
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(
            errors.contains("attempted static link of dynamic object"),
            "{errors}"
        );
    }
}
