//! Compiles the functions of `long double`, which Rust has no type for.

fn main() {
    let source = "src/device_functions/wide_math.c";
    println!("cargo:rerun-if-changed={source}");
    println!("cargo:rerun-if-changed=build.rs");
    cc::Build::new()
        .std("gnu11")
        .flag("-fvisibility=hidden")
        .file(source)
        .compile("mocl3_wide_math");
}
