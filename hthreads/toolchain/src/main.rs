//! The toolchain of device code, m3cc: compiler, assembler, linker, archiver and the tool that makes images, in one
//! program that looks at the name it is called by. `m3cc-link` has those that do without a compiler once more.
//! `m3cc --make-tree` writes the folders in which Makefiles for the machine expect the toolchain, the headers and the
//! libraries.

mod assembler;
mod compiler;
mod dependencies;
mod device_files;
mod disassembler;
mod modules;
mod tree;

use anyhow::{Result, bail};
use device_linker::tool::{self, Tool};
use device_linker::{archiver, linker, makedat};
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    tool::main(run)
}

fn run(tool: Tool, arguments: &[String]) -> Result<()> {
    match arguments {
        [option] if option == "--version" => {
            println!("m3cc {} (MOCL3)", env!("CARGO_PKG_VERSION"));
            return Ok(());
        }
        [option, folder] if option == "--make-tree" => return tree::make(Path::new(folder), None),
        [option, folder, library] if option == "--make-tree" => {
            return tree::make(Path::new(folder), Some(Path::new(library)));
        }
        [option, ..] if option == "--make-tree" => {
            bail!("usage: m3cc --make-tree FOLDER [HOST-LIBRARY]")
        }
        _ => {}
    }
    match tool {
        Tool::Compiler => compiler::run(arguments),
        Tool::Linker => linker::run(arguments, modules::link),
        Tool::Archiver => archiver::run(arguments),
        Tool::Makedat => makedat::run(arguments),
        Tool::Assembler => assembler::run(arguments),
        Tool::Disassembler => disassembler::disassemble(arguments),
        Tool::Lines => disassembler::lines(arguments),
    }
}
