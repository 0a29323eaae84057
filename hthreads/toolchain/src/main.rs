//! The toolchain of device code, m3cc: compiler, assembler, linker, archiver and the tool that makes images, in
//! one program that looks at the name it is called by. `m3cc --make-tree` writes the folders in which
//! Makefiles for the machine expect the toolchain, the headers and the libraries.

mod archive;
mod archiver;
mod assembler;
mod command_line;
mod compiler;
mod device_files;
mod disassembler;
mod linker;
mod makedat;
mod output;
mod symbol_table;
mod tree;

use anyhow::{Result, bail};
use std::path::Path;
use std::process::ExitCode;

/// What the program does, by the name it is called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tool {
    Compiler,
    Linker,
    Archiver,
    Makedat,
    Assembler,
    Disassembler,
    Lines,
}

impl Tool {
    /// The tool of a program's name, such as `MT-3000-ld` or `m3cc-ld`.
    fn called(name: &str) -> Self {
        match name.rsplit('-').next() {
            Some("ld") => Self::Linker,
            Some("ar") => Self::Archiver,
            Some("makedat") => Self::Makedat,
            Some("as") => Self::Assembler,
            Some("objdump") => Self::Disassembler,
            Some("addr2line") => Self::Lines,
            _ => Self::Compiler,
        }
    }

    fn run(self, arguments: &[String]) -> Result<()> {
        match self {
            Self::Compiler => compiler::run(arguments),
            Self::Linker => linker::run(arguments),
            Self::Archiver => archiver::run(arguments),
            Self::Makedat => makedat::run(arguments),
            Self::Assembler => assembler::run(arguments),
            Self::Disassembler => disassembler::disassemble(arguments),
            Self::Lines => disassembler::lines(arguments),
        }
    }
}

fn main() -> ExitCode {
    let mut arguments = std::env::args();
    let called = arguments.next().unwrap_or_default();
    let name = Path::new(&called).file_name().unwrap_or_default();
    let name = name.to_string_lossy();
    let arguments: Vec<String> = arguments.collect();
    match run(Tool::called(&name), &arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Diagnostics of clang's are complete as they are.
            let text = format!("{error:#}");
            if text.ends_with('\n') {
                eprint!("{text}");
            } else {
                eprintln!("{name}: error: {text}");
            }
            ExitCode::FAILURE
        }
    }
}

fn run(tool: Tool, arguments: &[String]) -> Result<()> {
    match arguments {
        [option] if option == "--version" => {
            println!("m3cc {} (MOCL3)", env!("CARGO_PKG_VERSION"));
            Ok(())
        }
        [option, folder] if option == "--make-tree" => tree::make(Path::new(folder), None),
        [option, folder, library] if option == "--make-tree" => {
            tree::make(Path::new(folder), Some(Path::new(library)))
        }
        [option, ..] if option == "--make-tree" => {
            bail!("usage: m3cc --make-tree FOLDER [HOST-LIBRARY]")
        }
        _ => tool.run(arguments),
    }
}

#[cfg(test)]
mod tests {
    use super::Tool;

    #[test]
    fn the_name_selects_the_tool() {
        for (name, tool) in [
            ("MT-3000-gcc", Tool::Compiler),
            ("m3cc", Tool::Compiler),
            ("MT-3000-ld", Tool::Linker),
            ("m3cc-ld", Tool::Linker),
            ("MT-3000-ar", Tool::Archiver),
            ("MT-3000-makedat", Tool::Makedat),
            ("MT-3000-as", Tool::Assembler),
            ("MT-3000-objdump", Tool::Disassembler),
            ("m3cc-addr2line", Tool::Lines),
        ] {
            assert_eq!(Tool::called(name), tool, "{name}");
        }
    }
}
