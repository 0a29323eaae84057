//! Builds what the compiler embeds: the C++ shim over clang and LLVM, clang's
//! OpenCL C header and the builtin library's bitcode; links LLVM's shared libraries, or
//! with the feature `static-llvm` what is needed of its archives.

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
    let mut sources = vec![
        "shim/debug_info.cpp",
        "shim/device_c/parser.cpp",
        "shim/front_end.cpp",
        "shim/graveyard.cpp",
        "shim/guard.cpp",
        "shim/ir.cpp",
        "shim/lanes.cpp",
        "shim/later_versions.cpp",
        "shim/line_table.cpp",
        "shim/narrow_inductions.cpp",
        "shim/restrictions.cpp",
        "shim/source_files.cpp",
        "shim/undefined_origins.cpp",
        "shim/uninitialised.cpp",
    ];
    if cfg!(feature = "static-llvm") {
        sources.push("shim/polly.cpp");
    }
    println!("cargo::rerun-if-changed=shim");
    cc::Build::new()
        .cpp(true)
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag_if_supported("-Wno-unused-parameter")
        // The guard steps over pages of the stack that it must not touch.
        .flag_if_supported("-fno-stack-clash-protection")
        .opt_level(1)
        .include(&llvm.include)
        .files(sources)
        .compile("mocl3_llvm_shim");
    println!(
        "cargo::rustc-link-search=native={}",
        llvm.libraries.display()
    );
    if cfg!(feature = "static-llvm") {
        match llvm.archives() {
            // Bundled, the crate's own library would hold all of LLVM.
            Ok(names) => names
                .iter()
                .for_each(|name| println!("cargo::rustc-link-lib=static:-bundle={name}")),
            Err(sentence) => println!("cargo::error={sentence}"),
        }
        for library in ["stdc++", "z", "zstd"] {
            println!("cargo::rustc-link-lib=dylib={library}");
        }
    } else {
        println!("cargo::rustc-link-lib=dylib=clang-cpp");
        println!("cargo::rustc-link-lib=dylib=LLVM-{}", llvm::MAJOR);
    }
    println!(
        "cargo::rustc-env=MOCL3_OPENCL_HEADER={}",
        llvm.resources.join("include/opencl-c-base.h").display()
    );
    println!("cargo::rustc-env=MOCL3_LLVM_VERSION={}", llvm.version);
    builtins::build(&llvm.clang, &llvm.nm, &llvm.resources, &out);
}
