//! `mocl3 compile`: compiles a file and prints diagnostics and a report of its kernels, or writes
//! one of the compiler's stages.

use crate::report::{Build, Kernel, MachineIdentity};
use anstream::adapter::strip_str;
use anyhow::{Context, Result, anyhow, bail};
use device_sim::machine::{CodeStackLayout, Machine};
use kernel_compiler::executable::{
    Executable, KernelInterface, KernelObject, Specialisation, Timed, TimedPurpose,
};
use kernel_compiler::options::{self, BuildOptions};
use kernel_compiler::stage::{Observer, Stage};
use kernel_compiler::{BuildFailure, Unit, program_binary};
use mocl3_shared::arguments::compile::{Arguments, BINARY, M3000_C, OBJECT};
use mocl3_shared::terminal::{columns, diagnostics};
use std::io::{self, IsTerminal, Read, Write};
use std::path::Path;
use std::sync::Arc;

/// The name of standard input among the inputs, and of standard output as the output.
const STANDARD: &str = "-";

/// The result to write.
#[derive(Clone, Copy, Debug)]
enum Emit {
    Stage(Stage),
    /// A kernel's object file.
    Object,
    /// A program binary for `clCreateProgramWithBinary`.
    Binary,
    /// C of the machine's dialect.
    M3000C,
}

/// The result that a value of `--emit` names.
fn emitted_by(name: &str) -> Option<Emit> {
    match name {
        OBJECT => Some(Emit::Object),
        BINARY => Some(Emit::Binary),
        M3000_C => Some(Emit::M3000C),
        _ => Stage::all()
            .find(|stage| stage.name() == name)
            .map(Emit::Stage),
    }
}

/// The file does not compile; the diagnostics are already printed.
#[derive(Debug)]
pub struct DoesNotCompile;

impl std::fmt::Display for DoesNotCompile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the file does not compile")
    }
}

impl std::error::Error for DoesNotCompile {}

/// Runs the command.
///
/// # Errors
/// `DoesNotCompile`, with the diagnostics printed; a file cannot be read or written; the file has
/// no such kernel, or the kernel cannot have the local size.
pub fn run(arguments: &Arguments) -> Result<()> {
    let options = BuildOptions::from_words(arguments.options.clone(), options::BuildCall::Build)
        .map_err(|sentence| anyhow!("build options: {sentence}"))?;
    kernel_compiler::bypass_cache();
    let emit = arguments.emit.as_deref().and_then(emitted_by);
    let (name, bytes) = read(&arguments.file)?;
    if let Some(Emit::M3000C) = emit
        && program_binary::is_binary(&bytes)
    {
        let program = executable(&name, &bytes)?;
        let text = m3000_c(arguments, &program)?;
        return write(arguments.output.as_deref(), text.as_bytes());
    }
    // Comments may have any encoding; clang reports invalid UTF-8 in strings.
    let source = String::from_utf8_lossy(&bytes).into_owned();
    match emit {
        Some(emit) => {
            let bytes = emitted(arguments, emit, &name, source, &options)?;
            write(arguments.output.as_deref(), &bytes)
        }
        None => report(arguments, &name, &source, &options),
    }
}

fn report(arguments: &Arguments, name: &str, source: &str, options: &BuildOptions) -> Result<()> {
    let mut build = Build {
        file: name.to_owned(),
        succeeded: false,
        machine: MachineIdentity::new(&arguments.machine.description()?),
        log: String::new(),
        kernels: Vec::new(),
    };
    let outcome = compile(name, source, options).and_then(|unit| {
        build.log.clone_from(&unit.log);
        Executable::link(&[&unit])
    });
    let failed = match outcome {
        Ok(program) => {
            let machine = arguments.machine.description()?.machine()?;
            for number in wanted(arguments, &program)? {
                let interface = &program.kernels()[number];
                let specialisation = specialisation(arguments, interface, &machine)?;
                let local_size = specialisation.local_size;
                let timed = Specialisation {
                    timed: Some(timed(&machine)),
                    ..specialisation.clone()
                };
                let compiled = look_at(&program, number, specialisation, None).and_then(|code| {
                    let timed = program.normalise(number, timed);
                    Ok((code.0, program.machine_cost(number, &timed)?))
                });
                match compiled {
                    Ok((object, cost)) => build.kernels.push(Kernel::new(
                        interface,
                        local_size,
                        &object.resources,
                        &cost,
                        &machine,
                    )),
                    Err(failure) => build.log.push_str(&failure.log),
                }
            }
            build.succeeded = build.kernels.len() == wanted(arguments, &program)?.len();
            !build.succeeded
        }
        Err(failure) => {
            build.log.push_str(&failure.log);
            true
        }
    };
    let warnings = build.kernels.iter().flat_map(Kernel::warnings);
    build.log.extend(warnings.collect::<Vec<_>>());
    print_diagnostics(&build.log);
    let json = || serde_json::to_string_pretty(&build).map(|text| text + "\n");
    if let Some(Some(file)) = &arguments.json {
        write(Some(file), json()?.as_bytes())?;
    }
    if let Some(None) = arguments.json {
        write(arguments.output.as_deref(), json()?.as_bytes())?;
    } else if !failed {
        write_text(arguments.output.as_deref(), &build)?;
    }
    if failed {
        return Err(DoesNotCompile.into());
    }
    Ok(())
}

fn emitted(
    arguments: &Arguments,
    emit: Emit,
    name: &str,
    source: String,
    options: &BuildOptions,
) -> Result<Vec<u8>> {
    if let Emit::Stage(Stage::Source) = emit {
        return Ok(source.into_bytes());
    }
    // Remarks contain line numbers.
    let with_lines;
    let options = if let Emit::Stage(Stage::Remarks) = emit {
        with_lines = options.clone().with_line_tables();
        &with_lines
    } else {
        options
    };
    let unit = compile(name, &source, options).map_err(refuse)?;
    print_diagnostics(&unit.log);
    if let Emit::Stage(Stage::FrontEnd) = emit {
        return Ok(unit.text().into_bytes());
    }
    let program = Executable::link(&[&unit]).map_err(refuse)?;
    let step = match emit {
        Emit::M3000C => return Ok(m3000_c(arguments, &program)?.into_bytes()),
        Emit::Binary => return Ok(program.to_binary(None)),
        Emit::Stage(Stage::Linked) => return Ok(program.text().into_bytes()),
        Emit::Stage(step) => Some(step),
        Emit::Object => None,
    };
    let (number, specialisation) = one_kernel(arguments, &program)?;
    let (object, text) = look_at(&program, number, specialisation, step).map_err(refuse)?;
    Ok(match step {
        Some(_) => text.into_bytes(),
        None => object.object,
    })
}

/// Prints why something does not compile.
fn refuse(failure: BuildFailure) -> DoesNotCompile {
    print_diagnostics(&failure.log);
    DoesNotCompile
}

/// The number of the only kernel that is selected, and how it is compiled.
fn one_kernel(arguments: &Arguments, program: &Executable) -> Result<(usize, Specialisation)> {
    let kernels = wanted(arguments, program)?;
    let &[number] = kernels.as_slice() else {
        bail!(
            "{} kernels: choose one with --kernel: {}",
            kernels.len(),
            names(program)
        );
    };
    let machine = arguments.machine.description()?.machine()?;
    let specialisation = specialisation(arguments, &program.kernels()[number], &machine)?;
    Ok((number, specialisation))
}

/// The program of a binary.
fn executable(name: &str, bytes: &[u8]) -> Result<Arc<Executable>> {
    match program_binary::read_of_any_build(bytes).map_err(refuse)? {
        program_binary::Program::Executable(program) => Ok(program),
        _ => bail!("{name} is a program binary that is not linked"),
    }
}

/// The selected kernel as C of the machine's dialect.
fn m3000_c(arguments: &Arguments, program: &Executable) -> Result<String> {
    let (number, specialisation) = one_kernel(arguments, program)?;
    let name = &program.kernels()[number].name;
    let specialisation = Specialisation {
        local_size: specialisation.local_size,
        ..Default::default()
    };
    let version = program.normalise(number, specialisation);
    let written = program.m3000_c(number, &version).map_err(refuse)?;
    written.map_err(|reason| anyhow!("kernel `{name}`: {reason}"))
}

/// The file's name for diagnostics, and its bytes.
fn read(file: &Path) -> Result<(String, Vec<u8>)> {
    let mut bytes = Vec::new();
    let name = if file == Path::new(STANDARD) {
        io::stdin()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
        "<stdin>".to_owned()
    } else {
        bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
        let name = file.display().to_string();
        // clang must not read the name as an option.
        if name.starts_with('-') {
            format!("./{name}")
        } else {
            name
        }
    };
    Ok((name, bytes))
}

fn write(output: Option<&Path>, bytes: &[u8]) -> Result<()> {
    match output {
        Some(path) if path != Path::new(STANDARD) => {
            std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
        }
        named => {
            let mut stdout = io::stdout().lock();
            if named.is_none() && stdout.is_terminal() && std::str::from_utf8(bytes).is_err() {
                bail!("this is no text for a terminal; name a file with -o");
            }
            stdout.write_all(bytes)?;
            Ok(stdout.flush()?)
        }
    }
}

/// Writes the report as text, with styles and to the width of the terminal if it goes to one.
fn write_text(output: Option<&Path>, build: &Build) -> Result<()> {
    if output.is_some() {
        let text = strip_str(&build.text(None)).to_string();
        return write(output, text.as_bytes());
    }
    let text = build.text(columns(&io::stdout()));
    Ok(anstream::stdout().write_all(text.as_bytes())?)
}

fn print_diagnostics(log: &str) {
    // There is no place to report a failure.
    let _ = anstream::stderr().write_all(diagnostics(log).as_bytes());
}

fn compile(
    name: &str,
    source: &str,
    options: &BuildOptions,
) -> std::result::Result<Unit, BuildFailure> {
    kernel_compiler::compile_named(name, source, options, &[])
}

fn names(program: &Executable) -> String {
    let names = program.kernels().iter().map(|kernel| kernel.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// Indices of the selected kernels.
fn wanted(arguments: &Arguments, program: &Executable) -> Result<Vec<usize>> {
    let kernels = program.kernels();
    let Some(name) = &arguments.kernel else {
        return Ok((0..kernels.len()).collect());
    };
    match kernels.iter().position(|kernel| kernel.name == *name) {
        Some(number) => Ok(vec![number]),
        None => bail!("there is no kernel `{name}`; there are: {}", names(program)),
    }
}

fn specialisation(
    arguments: &Arguments,
    interface: &KernelInterface,
    machine: &Machine,
) -> Result<Specialisation> {
    let required = interface.required_work_group_size;
    if let (Some(given), Some(required)) = (arguments.local_size, required)
        && given != required
    {
        let [x, y, z] = required;
        let sentence = format!(
            "kernel `{}` requires work-groups of {x},{y},{z}",
            interface.name
        );
        // If all kernels of a file are compiled, some may require another size.
        if arguments.kernel.is_some() || arguments.emit.is_some() {
            bail!("{sentence}");
        }
        print_diagnostics(&format!("warning: {sentence}\n"));
    }
    let local_size = required.or(arguments.local_size);
    let limit = machine.open_cl.work_group_size.value;
    let items = local_size.map_or(Some(1), |size| {
        size.iter().try_fold(1u64, |items, &d| items.checked_mul(d))
    });
    if items.is_none_or(|items| items > limit) {
        bail!(
            "kernel `{}`: a work-group has at most {limit} work-items",
            interface.name
        );
    }
    let is_timed = arguments.emit.as_deref() == Some(Stage::Timed.name());
    Ok(Specialisation {
        local_size,
        small_launch: true,
        without_offset: true,
        separate_objects: !is_timed,
        timed: is_timed.then(|| timed(machine)),
        ..Default::default()
    })
}

/// What timed code is for.
fn timed(machine: &Machine) -> Timed {
    Timed {
        machine: Arc::new(machine.clone()),
        layout: CodeStackLayout::from_environment(&machine.layout),
        purpose: TimedPurpose::Execution,
    }
}

/// Keeps one stage.
struct Keep {
    step: Option<Stage>,
    text: String,
}

impl Observer for Keep {
    fn wants(&self, step: Stage) -> bool {
        // The vector width is computed only on request.
        self.step == Some(step) || step == Stage::Resources
    }

    fn see(&mut self, step: Stage, text: &str) {
        if self.step == Some(step) {
            self.text = text.to_owned();
        }
    }
}

fn look_at(
    program: &Executable,
    kernel: usize,
    specialisation: Specialisation,
    step: Option<Stage>,
) -> std::result::Result<(KernelObject, String), BuildFailure> {
    let mut keep = Keep {
        step,
        text: String::new(),
    };
    let version = program.normalise(kernel, specialisation);
    let object = program.compile_for_inspection(kernel, version, &mut keep)?;
    Ok((object, keep.text))
}

#[cfg(test)]
mod tests {
    use super::emitted_by;
    use kernel_compiler::stage::Stage;
    use mocl3_shared::arguments::compile::{BINARY, EMITTED, M3000_C, OBJECT};

    #[test]
    fn every_stage_can_be_emitted() {
        let stages = Stage::all().filter(|stage| *stage != Stage::Options);
        let names: Vec<&str> = stages
            .map(Stage::name)
            .chain([OBJECT, BINARY, M3000_C])
            .collect();
        assert_eq!(EMITTED, names);
        assert!(EMITTED.iter().all(|name| emitted_by(name).is_some()));
    }
}
