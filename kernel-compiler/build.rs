//! Builds what the compiler embeds: the C++ shim over clang and LLVM, clang's
//! OpenCL C header and the builtin library's bitcode; links LLVM's shared libraries.

#[path = "build/builtins.rs"]
mod builtins;
#[path = "build/llvm.rs"]
mod llvm;

use std::path::PathBuf;

fn main() {
    let out = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let llvm = match llvm::Installation::find() {
        Ok(llvm) => llvm,
        Err(sentence) => {
            println!("cargo::error={sentence}");
            return;
        }
    };
    for file in ["shim/shim.h", "shim/front_end.cpp", "shim/ir.cpp"] {
        println!("cargo::rerun-if-changed={file}");
    }
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag_if_supported("-Wno-unused-parameter")
        .opt_level(1)
        .include(&llvm.include)
        .file("shim/front_end.cpp")
        .file("shim/ir.cpp")
        .compile("mocl3_llvm_shim");
    println!(
        "cargo::rustc-link-search=native={}",
        llvm.libraries.display()
    );
    println!("cargo::rustc-link-lib=dylib=clang-cpp");
    println!("cargo::rustc-link-lib=dylib=LLVM-{}", llvm::MAJOR);
    println!(
        "cargo::rustc-env=MOCL3_OPENCL_HEADER={}",
        llvm.resources.join("include/opencl-c-base.h").display()
    );
    println!("cargo::rustc-env=MOCL3_LLVM_VERSION={}", llvm.version);
    builtins::build(&llvm.clang, &llvm.nm, &llvm.resources, &out);
}
