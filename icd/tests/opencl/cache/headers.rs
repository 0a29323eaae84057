//! Programs that depend on more than their text: headers, the working directory, the time.

use super::process::{BuildOutput, build, command, place};
use std::fs;

#[test]
fn headers_of_the_file_system_are_looked_at_again() {
    let place = place();
    let [first, second] = ["first", "second"].map(|name| place.path().join(name));
    for folder in [&first, &second] {
        fs::create_dir(folder).unwrap();
    }
    let cache = place.path().join("cache");
    let source = "#include \"n.h\"\nkernel void k(global int *x) { *x += N; }";
    let options = format!("-I {} -I {}", first.display(), second.display());
    let build = || build(&cache, source, &options);
    assert!(build().text.contains("built -11"));

    fs::write(second.join("n.h"), "#define N 10\n").unwrap();
    build().gives(11).compiled_all();
    build().gives(11).compiled_nothing();
    fs::write(second.join("n.h"), "#define N 20\n").unwrap();
    build().gives(21).compiled_all();
    // Both versions are kept.
    fs::write(second.join("n.h"), "#define N 10\n").unwrap();
    build().gives(11).compiled_nothing();
    // A header that is found earlier than the one that was read.
    fs::write(
        first.join("n.h"),
        "#include_next \"n.h\"\n#undef N\n#define N 30\n",
    )
    .unwrap();
    build().gives(31).compiled_all();
    fs::remove_file(first.join("n.h")).unwrap();
    build().gives(11).compiled_nothing();
    // A header that another header includes, and that does not exist at first.
    let asks = "#if __has_include(\"more.h\")\n#include \"more.h\"\n#else\n#define N 1\n#endif\n";
    fs::write(second.join("n.h"), asks).unwrap();
    build().gives(2).compiled_all();
    build().gives(2).compiled_nothing();
    fs::write(second.join("more.h"), "#define N 40\n").unwrap();
    build().gives(41).compiled_all();
    build().gives(41).compiled_nothing();
    fs::remove_file(second.join("more.h")).unwrap();
    fs::remove_file(second.join("n.h")).unwrap();
    assert!(build().text.contains("built -11"));
}

#[test]
fn the_working_directory_is_where_headers_are_looked_for() {
    let place = place();
    let cache = place.path().join("cache");
    let source = "#include \"n.h\"\nkernel void k(global int *x) { *x += N; }";
    let folders = [1, 2].map(|n| {
        let folder = place.path().join(n.to_string());
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("n.h"), format!("#define N {n}\n")).unwrap();
        folder
    });
    for compiled_before in [false, true] {
        for (folder, result) in folders.iter().zip([2, 3]) {
            let output = command(&cache, &["source", source, "-I ."])
                .current_dir(folder)
                .output();
            let outcome = BuildOutput::parse(&output.unwrap());
            outcome.gives(result);
            if compiled_before {
                outcome.compiled_nothing();
            }
        }
    }
}

#[test]
fn a_program_that_uses_time_macros_is_compiled_each_time() {
    let place = place();
    let source = "constant char when[] = __TIME__;
        kernel void k(global int *x) { *x += when[2] == ':'; }";
    for _ in 0..2 {
        let outcome = build(place.path(), source, "");
        assert!(!outcome.gives(2).cache("has").contains(&"unit"));
        assert!(!outcome.cache("keeps").contains(&"unit"));
    }
}
