//! Builds what the kernel compiler embeds: the C++ shim over clang and LLVM, clang's
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
    println!(
        "cargo::rustc-env=MOCL3_OPENCL_HEADER={}",
        llvm.resources.join("include/opencl-c-base.h").display()
    );
    println!("cargo::rustc-env=MOCL3_LLVM_VERSION={}", llvm.version);
    // Lints need no code, which takes two minutes of processor time to compile.
    let wrapper = std::env::var("RUSTC_WORKSPACE_WRAPPER").unwrap_or_default();
    if wrapper.ends_with("clippy-driver") {
        builtins::write_index(&out, &[], &[]);
        return;
    }
    // Those that take longest come first.
    let mut sources = vec![
        "shim/restrictions.cpp",
        "shim/front_end.cpp",
        "shim/later_versions.cpp",
        "shim/device_c/assembly.cpp",
        "shim/device_c/parser.cpp",
        "shim/device_c/vector_conversions.cpp",
        "shim/device_c/shadow_memory.cpp",
        "shim/device_c/unroll_vectors.cpp",
        "shim/device_c/alignment_checks.cpp",
        "shim/ir.cpp",
        "shim/uninitialised.cpp",
        "shim/narrow_inductions.cpp",
        "shim/lanes.cpp",
        "shim/debug_info.cpp",
        "shim/line_table.cpp",
        "shim/undefined_origins.cpp",
        "shim/graveyard.cpp",
        "shim/source_files.cpp",
        "shim/guard.cpp",
    ];
    if cfg!(feature = "static-llvm") {
        sources.push("shim/polly.cpp");
    }
    println!("cargo::rerun-if-changed=shim");
    cc::Build::new()
        .cpp(true)
        .compiler(llvm.clangxx())
        .std("c++17")
        .flag("-fno-rtti")
        .flag("-fno-exceptions")
        .flag("-fvisibility=hidden")
        .flag_if_supported("-Wno-unused-parameter")
        // The guard steps over pages of the stack that it must not touch.
        .flag_if_supported("-fno-stack-clash-protection")
        .opt_level(1)
        .debug(false)
        .flag("-gline-tables-only")
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
    builtins::build(&llvm, &out);
}
