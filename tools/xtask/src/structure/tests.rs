use super::{ModuleGraph, ModuleTree, cycles, disagreements};
use std::path::Path;

/// The cycles of a crate with these files, as lists of modules.
fn cycles_of(files: &[(&str, &str)]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let file = folder.path().join(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }
    let root: &Path = &folder.path().join("lib.rs");
    let tree = ModuleTree::read(root).unwrap();
    let found = cycles::find(&ModuleGraph::build(&tree));
    found.iter().map(|cycle| cycle.modules.join(" ")).collect()
}

#[test]
fn modules_do_not_depend_on_themselves_and_nothing_is_too_large() {
    let lines = disagreements().unwrap();
    assert!(lines.is_empty(), "\n{}", lines.join("\n"));
}

#[test]
fn two_modules_that_use_each_other_are_a_cycle() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::B; pub struct A(B);"),
        ("b.rs", "pub struct B; fn f() { super::a::A; }"),
        ("c.rs", "use crate::{a::A, b}; fn f() { b::B; }"),
    ];
    assert_eq!(cycles_of(&files), ["a b"]);
}

#[test]
fn a_reexport_leads_to_the_module_that_defines_the_name() {
    let files = [
        ("lib.rs", "mod a; mod c;"),
        (
            "a/mod.rs",
            "mod b; mod d; pub use b::*; pub use d::D as E; pub mod inner { pub use super::d::D; }",
        ),
        ("a/b.rs", "pub struct B;"),
        (
            "a/d.rs",
            "use super::B; pub struct D(B); fn f() { crate::a::inner::D }",
        ),
        ("c.rs", "use crate::a::E; struct C(E);"),
    ];
    assert!(cycles_of(&files).is_empty());
}

#[test]
fn a_child_and_the_parent_that_calls_it_are_a_cycle() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; pub struct A; fn f() { b::f() }"),
        ("a/b.rs", "use super::A; pub fn f() -> A { A }"),
    ];
    assert_eq!(cycles_of(&files), ["a a::b"]);
}

#[test]
fn a_name_that_a_module_passes_on_and_uses_is_a_dependency() {
    let files = [
        ("lib.rs", "mod a;"),
        ("a/mod.rs", "mod b; pub use b::B; pub struct A(B);"),
        ("a/b.rs", "pub struct B; fn f(_: &super::A) {}"),
    ];
    assert_eq!(cycles_of(&files), ["a a::b"]);
}

#[test]
fn paths_in_macros_count_and_tests_do_not() {
    let files = [
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            "pub struct A; fn f() { println!(\"{}\", crate::b::g(1)) }",
        ),
        (
            "b.rs",
            "pub fn g(_: i32) {} #[cfg(test)] mod tests { use crate::a::A; }",
        ),
    ];
    assert!(cycles_of(&files).is_empty());
    let used = ("b.rs", "pub fn g(_: i32) { let _ = vec![crate::a::A]; }");
    assert_eq!(cycles_of(&[files[0], files[1], used]), ["a b"]);
}
