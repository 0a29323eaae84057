//! The Fortran binding: complete, with the C headers' numbers, and used by programs that gfortran compiles.

use crate::interface::read;
use crate::programs::SOURCES;
use crate::tree::{TREE, repository};
use std::collections::BTreeMap;

const CONSTANTS_AND_FUNCTIONS: &str = "host/include/hthread_host_fortran.h";

/// C's and Fortran's declarations.
const BOTH: [(&str, &str); 2] = [
    ("host/include/hthread_host.h", CONSTANTS_AND_FUNCTIONS),
    ("host/include/libmt.h", "host/include/libmt.f90"),
];

/// A declaration's name and parameters: `int f(int a, int b)`, or `function f(a, b) bind(c)`.
fn declaration(text: &str) -> Option<(String, usize)> {
    let (before, rest) = text.split_once('(')?;
    let name = before.rsplit([' ', '*']).next()?.to_owned();
    // The last parameter may be a pointer to a function.
    let parameters = match rest.split_once("(*") {
        Some((before, _)) => format!("{before} function"),
        None => rest.split(')').next()?.to_owned(),
    };
    Some((name, parameters.split(',').count()))
}

/// The numbers of parameters of the functions that a C header declares.
fn of_c(header: &str) -> BTreeMap<String, usize> {
    let text = read(header);
    let starts = ["int ", "unsigned ", "void ", "const "];
    let functions = text.split(";\n").filter_map(|statement| {
        let from = statement
            .lines()
            .position(|line| starts.iter().any(|start| line.starts_with(start)))?;
        let lines: Vec<&str> = statement.lines().skip(from).collect();
        declaration(&lines.join(" "))
    });
    functions.collect()
}

/// Those of the functions with a binding to their own name, and their results' places.
fn of_fortran(file: &str) -> BTreeMap<String, usize> {
    let text = read(file).replace("&\n", "");
    let lines = text.lines().map(str::trim);
    lines
        .filter(|line| line.starts_with("function ") || line.starts_with("subroutine "))
        .filter(|line| line.ends_with("bind(c)"))
        .filter_map(declaration)
        .collect()
}

#[test]
fn each_host_function_is_in_fortran_with_its_parameters() {
    for (header, fortran) in BOTH {
        let functions = of_c(header);
        assert!(functions.len() > 15, "{header}: {functions:?}");
        assert_eq!(functions, of_fortran(fortran), "{fortran}");
    }
}

#[test]
fn each_constant_is_in_fortran_with_its_value() {
    let headers = read("host/include/hthread_host_macro.h");
    let of_c: BTreeMap<String, i32> = headers
        .lines()
        .filter_map(|line| line.strip_prefix("#define HT_")?.split_once(' '))
        .filter_map(|(name, value)| {
            let value = value.trim_matches(['(', ')']).parse().ok()?;
            Some((format!("HT_{name}"), value))
        })
        .collect();
    let fortran = read(CONSTANTS_AND_FUNCTIONS);
    let of_fortran: BTreeMap<String, i32> = fortran
        .lines()
        .filter_map(|line| {
            line.strip_prefix("integer, parameter :: ")?
                .split_once(" = ")
        })
        .map(|(name, value)| (name.to_owned(), value.parse().unwrap()))
        .collect();
    assert_eq!(of_c.len(), 15);
    assert_eq!(of_c, of_fortran);
}

#[test]
fn programs_in_fortran_use_all_functions() {
    let sources = repository(SOURCES).canonicalize().unwrap();
    let sources = sources.display();
    let headers = "$(dirname $(command -v MT-3000-gcc))/../../hthreads/include";
    for level in ["-O0", "-O2"] {
        let folder = tempfile::tempdir().unwrap();
        TREE.succeed(
            &format!("make -s -f {sources}/Makefile PROGRAM=fortran kernel.dat"),
            folder.path(),
        );
        TREE.succeed(
            &format!(
                "gfortran {level} -Wall -Wno-uninitialized -Werror {headers}/hthread_host.f90 {headers}/libmt.f90 \
                 {sources}/fortran.f90 {headers}/../lib/libhthread_host.a -lpthread \
                 -Wl,--allow-shlib-undefined -o program"
            ),
            folder.path(),
        );
        let printed = TREE.succeed("./program", folder.path());
        assert_eq!(printed, "0 failures\n", "{level}");
    }
}

/// Compiled with the interfaces included, as with the machine's binding, and with the first word in the place
/// of the array.
#[test]
fn programs_may_include_the_interfaces() {
    let folder = tempfile::tempdir().unwrap();
    let program = "\
        program included\n\
        use iso_c_binding\n\
        implicit none\n\
        #include \"hthread_host_fortran.h\"\n\
        integer :: result, group\n\
        integer(c_int64_t) :: args(1)\n\
        type(c_ptr) :: memory\n\
        integer(c_int64_t), pointer :: number\n\
        result = hthread_dev_open(0)\n\
        result = hthread_dat_load(0, 'kernel.dat' // c_null_char)\n\
        memory = hthread_malloc(0, 8_c_long, HT_MEM_RW)\n\
        call c_f_pointer(memory, number)\n\
        number = 42\n\
        args(1) = transfer(memory, args(1))\n\
        group = hthread_group_create(0, 1, 'negate' // c_null_char, 0, 1, args(1))\n\
        result = hthread_group_wait(group)\n\
        print '(i0)', number\n\
        result = hthread_dev_close(0)\n\
        end program included\n";
    std::fs::write(folder.path().join("included.F90"), program).unwrap();
    let sources = repository(SOURCES).canonicalize().unwrap();
    let tree = "$(dirname $(command -v MT-3000-gcc))/../../hthreads";
    let line = format!(
        "make -s -f {}/Makefile PROGRAM=fortran kernel.dat && \
         gfortran -O2 -I{tree}/include included.F90 {tree}/lib/libhthread_host.a -lpthread \
         -Wl,--allow-shlib-undefined -o program && ./program",
        sources.display()
    );
    assert_eq!(TREE.succeed(&line, folder.path()), "-42\n");
}

/// Its Makefile has the usual form.
#[test]
fn the_example_in_fortran_runs() {
    let folder = tempfile::tempdir().unwrap();
    let example = repository("examples/hthreads-fortran");
    TREE.succeed(&format!("cp {}/* .", example.display()), folder.path());
    let printed = TREE.succeed("make -s run", folder.path());
    assert_eq!(printed, "24 threads, 196608 numbers, 0 wrong\n");
}
