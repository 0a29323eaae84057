//! Compiles the C++ that calls the host program's functions; link arguments of `libmocl3.so`.

fn main() {
    println!("cargo:rerun-if-changed=shim/calls.cpp");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fvisibility=hidden")
        .file("shim/calls.cpp")
        .compile("mocl3_calls");
    // Our dispatch table and code bind to our own symbols, whichever libOpenCL the
    // process holds.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-Bsymbolic");
    // Workers and callbacks may run until the process ends; the code must stay mapped.
    println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    println!("cargo:rerun-if-changed=build.rs");
}
