//! Which tool a program is called as.

use anyhow::Result;
use std::path::Path;
use std::process::ExitCode;

/// What the program does, by the name it is called by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// C and assembly to object files.
    Compiler,
    /// Object files to one.
    Linker,
    /// Archives of object files.
    Archiver,
    /// Images.
    Makedat,
    /// Assembly to object files.
    Assembler,
    /// What is in object files.
    Disassembler,
    /// Lines of addresses.
    Lines,
}

impl Tool {
    /// The tool of a program's name, such as `MT-3000-ld` or `m3cc-ld`.
    pub fn called(name: &str) -> Self {
        match name.rsplit('-').next() {
            Some("ld" | "link") => Self::Linker,
            Some("ar") => Self::Archiver,
            Some("makedat") => Self::Makedat,
            Some("as") => Self::Assembler,
            Some("objdump") => Self::Disassembler,
            Some("addr2line") => Self::Lines,
            _ => Self::Compiler,
        }
    }
}

/// Runs a tool with the arguments of this program, and says what is wrong.
pub fn main(run: impl FnOnce(Tool, &[String]) -> Result<()>) -> ExitCode {
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
            ("m3cc-link", Tool::Linker),
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
