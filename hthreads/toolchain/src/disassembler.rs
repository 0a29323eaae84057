//! What is in assembled code: its instructions, and the lines that they are from. Code from C has none: it becomes
//! that of the host when the image is loaded.

use anyhow::{Context, Result, bail};
use device_assembly::{Program, disassembly};
use device_linker::{Words, object, print};
use kernel_compiler::device_c::assembly;
use std::fmt::Write;
use std::path::Path;

/// The assembled code of an object file or of the linker's output.
fn programs(file: &str) -> Result<Vec<Program>> {
    let mut programs = Vec::new();
    for module in &object::read(Path::new(file))?.modules {
        programs.extend(assembly::programs_of(module)?);
    }
    Ok(programs)
}

/// `objdump -d FILE...`: shows the packets with their addresses.
///
/// # Errors
/// The command line is wrong, or a file is not of this toolchain.
pub fn disassemble(arguments: &[String]) -> Result<()> {
    let mut files = Vec::new();
    let mut shows_code = false;
    for word in arguments {
        match word.as_str() {
            "-d" | "--disassemble" => shows_code = true,
            option if option.starts_with('-') => bail!("unrecognized option '{option}'"),
            file => files.push(file),
        }
    }
    if !shows_code || files.is_empty() {
        bail!("usage: MT-3000-objdump -d FILE...");
    }
    let mut text = String::new();
    for file in files {
        let _ = writeln!(text, "\n{file}:     file format mt3000-assembly\n");
        for (number, program) in programs(file)?.iter().enumerate() {
            let _ = writeln!(text, "Disassembly of {}:", program.file);
            show(program, assembly::address_of(number), &mut text);
        }
    }
    print(&text)
}

fn show(program: &Program, start: u64, text: &mut String) {
    let mut labels = program.labels.iter().peekable();
    // A String accepts all text.
    for (number, packet) in (0u32..).zip(&program.packets) {
        let address = start + u64::from(number);
        while let Some(label) = labels.next_if(|label| label.packet <= number) {
            let _ = writeln!(text, "\n{address:016x} <{}>:", label.name);
        }
        for (place, one) in packet.instructions.iter().enumerate() {
            let line = disassembly::instruction(program, one);
            let _ = match place {
                0 => writeln!(text, "{address:16x}:\t  {line}"),
                _ => writeln!(text, "{:17}\t| {line}", ""),
            };
        }
    }
    text.push('\n');
}

/// `addr2line -e FILE [-f] ADDRESS...`: the lines of packets.
///
/// # Errors
/// The command line is wrong, or the file is not of this toolchain.
pub fn lines(arguments: &[String]) -> Result<()> {
    let mut file = "a.out";
    let mut shows_functions = false;
    let mut addresses = Vec::new();
    let mut words = Words::new(arguments);
    while let Some(word) = words.next() {
        if word == "-f" || word == "--functions" {
            shows_functions = true;
        } else if let Some(name) = words.value(word, "-e")? {
            file = name;
        } else if word.starts_with('-') {
            bail!("unrecognized option '{word}'");
        } else {
            let digits = word.strip_prefix("0x").unwrap_or(word);
            let address = u64::from_str_radix(digits, 16);
            addresses.push(address.with_context(|| format!("{word}: not an address"))?);
        }
    }
    let programs = programs(file)?;
    let mut text = String::new();
    for address in addresses {
        let found = programs.iter().enumerate().find_map(|(number, program)| {
            let packet = address.checked_sub(assembly::address_of(number))?;
            let packet = u32::try_from(packet).ok()?;
            let line = program.packets.get(packet as usize)?.line();
            let function = program.function_at(packet)?.0.name.as_str();
            Some((function, format!("{}:{line}", program.file)))
        });
        let (function, place) = found.unwrap_or_else(|| ("??", "??:0".to_owned()));
        if shows_functions {
            let _ = writeln!(text, "{function}");
        }
        let _ = writeln!(text, "{place}");
    }
    print(&text)
}
