//! The compiler, with GCC's command line.

use crate::assembler;
use crate::device_files::HEADERS;
use crate::modules;
use anyhow::{Context, Result, bail};
use device_linker::{Words, linker};
use kernel_compiler::device_c::{self, Source, assembly, compile, preprocess};
use std::path::{Path, PathBuf};

/// Options without a meaning here: what they request is always so, or changes the speed only.
const NO_EFFECT: &[&str] = &[
    "-fenable-m3000",
    "-ffunction-sections",
    "-fdata-sections",
    "-flax-vector-conversions",
    "-ftree-vectorize",
    "-fopt-info",
    "-fno-strict-aliasing",
    "-funroll-loops",
    "-pipe",
];

/// Options that clang's front end has under the same name.
const KEPT: &[&str] = &[
    "-w",
    "-pedantic",
    "-ffast-math",
    "-fno-builtin",
    "-fno-common",
];

/// What a command line requests.
#[derive(Debug, Default)]
struct Command {
    /// Whether to stop before linking.
    only_compiles: bool,
    /// Whether to write assembly instead of object files.
    writes_assembly: bool,
    /// Whether it is that of LLVM.
    emits_llvm: bool,
    output: Option<PathBuf>,
    sources: Vec<String>,
    /// Arguments of clang's.
    arguments: Vec<String>,
    /// Those of its preprocessor.
    preprocessor: Vec<String>,
    optimises: bool,
    /// Inputs and options of the linker, with a place for each source.
    linker: Vec<Input>,
}

#[derive(Clone, Debug)]
enum Input {
    /// A source, by its number.
    Source(usize),
    Other(String),
}

/// Compiles, and links unless `-c` is given.
///
/// # Errors
/// The command line is wrong, a source has errors, or linking fails.
pub fn run(arguments: &[String]) -> Result<()> {
    let command = Command::parse(arguments)?;
    if command.sources.is_empty() && (command.only_compiles || command.linker.is_empty()) {
        bail!("no input files");
    }
    if command.only_compiles {
        return command.compile_only();
    }
    command.compile_and_link()
}

impl Command {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut command = Self::default();
        let mut words = Words::new(arguments);
        while let Some(word) = words.next() {
            command.take(word, &mut words)?;
        }
        if command.emits_llvm != command.writes_assembly {
            match command.emits_llvm {
                true => bail!("'-emit-llvm' needs '-S'"),
                false => bail!(
                    "'-S' is not supported: C is compiled to code of LLVM, not to assembly of the machine; \
                     '-S -emit-llvm' writes it"
                ),
            }
        }
        command.only_compiles |= command.writes_assembly;
        Ok(command)
    }

    fn take<'a>(&mut self, word: &'a str, words: &mut Words<'a>) -> Result<()> {
        if !word.starts_with('-') {
            self.input(word)?;
        } else if word == "-c" {
            self.only_compiles = true;
        } else if let Some(level) = word.strip_prefix("-O") {
            self.optimises = level != "0";
        } else if let Some(file) = words.value(word, "-o")? {
            self.output = Some(file.into());
        } else if word.starts_with("-L") || word.starts_with("-l") || word.starts_with("-T") {
            let option = &word[..2];
            let value = words.value(word, option)?.unwrap_or_default();
            self.linker.push(Input::Other(format!("{option}{value}")));
        } else if let Some(options) = word.strip_prefix("-Wl,") {
            let options = options.split(',').map(str::to_owned);
            self.linker.extend(options.map(Input::Other));
        } else if let Some(standard) = word
            .strip_prefix("-std=")
            .or_else(|| word.strip_prefix("--std="))
        {
            self.arguments.push(format!("-std={standard}"));
        } else if word == "-include" || word == "-isystem" {
            let value = words.value(word, word)?.unwrap_or_default();
            self.preprocessor
                .extend([word.to_owned(), value.to_owned()]);
        } else if let Some(option) = ["-I", "-D", "-U"].into_iter().find(|o| word.starts_with(o)) {
            let value = words.value(word, option)?.unwrap_or_default();
            self.preprocessor
                .extend([option.to_owned(), value.to_owned()]);
        } else if word.starts_with("-g") {
            if word != "-g0" {
                self.arguments.push("-debug-info-kind=limited".into());
            }
        } else if KEPT.contains(&word) || word.starts_with("-W") {
            self.arguments.push(word.to_owned());
        } else if NO_EFFECT.iter().any(|option| word.starts_with(option)) {
            // Nothing to do.
        } else if word.starts_with("-f") || word.starts_with("-m") {
            eprintln!("MT-3000-gcc: warning: option '{word}' has no effect");
        } else if word == "-S" {
            self.writes_assembly = true;
        } else if word == "-emit-llvm" {
            self.emits_llvm = true;
        } else if word == "-E" {
            bail!("'{word}' is not supported");
        } else {
            bail!("unrecognized command-line option '{word}'");
        }
        Ok(())
    }

    fn input(&mut self, word: &str) -> Result<()> {
        match Path::new(word)
            .extension()
            .and_then(|extension| extension.to_str())
        {
            Some("c" | "s" | "S") => {
                self.linker.push(Input::Source(self.sources.len()));
                self.sources.push(word.to_owned());
            }
            Some("o" | "a") => self.linker.push(Input::Other(word.to_owned())),
            _ => bail!("{word}: file is neither C, assembly, an object file nor an archive"),
        }
        Ok(())
    }

    fn compile_only(&self) -> Result<()> {
        if self.output.is_some() && self.sources.len() > 1 {
            let option = if self.writes_assembly { "-S" } else { "-c" };
            bail!("cannot specify '-o' with '{option}' with multiple files");
        }
        for source in &self.sources {
            let object = match &self.output {
                Some(output) => output.clone(),
                None => Path::new(source)
                    .with_extension(if self.writes_assembly { "ll" } else { "o" })
                    .file_name()
                    .map(PathBuf::from)
                    .context("a source has a name")?,
            };
            self.compile(source, &object)?;
        }
        Ok(())
    }

    fn compile_and_link(&self) -> Result<()> {
        let folder = tempfile::tempdir().context("a folder for object files")?;
        let object = |number: usize| folder.path().join(format!("{number}.o"));
        for (number, source) in self.sources.iter().enumerate() {
            self.compile(source, &object(number))?;
        }
        let inputs = self.linker.iter().map(|input| match input {
            Input::Source(number) => object(*number).to_string_lossy().into_owned(),
            Input::Other(word) => word.clone(),
        });
        let mut words: Vec<String> = inputs.collect();
        let output = self.output.as_deref().unwrap_or(Path::new("a.out"));
        words.extend(["-o".to_owned(), output.to_string_lossy().into_owned()]);
        linker::run(&words, modules::link)
    }

    /// Compiles one source.
    fn compile(&self, source: &str, object: &Path) -> Result<()> {
        let contents = match Path::new(source).extension() {
            Some(extension) if self.writes_assembly && extension != "c" => {
                bail!("{source}: '-S' takes C files")
            }
            Some(extension) if extension == "s" => assembler::object(source)?,
            Some(extension) if extension == "S" => self.preprocess_and_assemble(source)?,
            _ => self.compile_c(source)?,
        };
        std::fs::write(object, contents).with_context(|| object.display().to_string())
    }

    fn preprocess_and_assemble(&self, source: &str) -> Result<Vec<u8>> {
        let (text, log) = preprocess(&Source {
            path: source,
            arguments: &self.preprocessor,
            headers: HEADERS,
        })?;
        eprint!("{log}");
        modules::object_file(assembly::compile(source, &String::from_utf8_lossy(&text))?)
    }

    fn compile_c(&self, source: &str) -> Result<Vec<u8>> {
        // The machine's compiler forms fused operations of all that it can, from -O1 on.
        let mut arguments = match self.optimises {
            true => vec!["-O2".to_owned(), "-ffp-contract=fast".to_owned()],
            false => vec!["-O0".to_owned(), "-ffp-contract=off".to_owned()],
        };
        arguments.extend_from_slice(&self.arguments);
        arguments.extend_from_slice(&self.preprocessor);
        let (bitcode, log) = compile(&Source {
            path: source,
            arguments: &arguments,
            headers: HEADERS,
        })?;
        eprint!("{log}");
        match self.writes_assembly {
            true => Ok(device_c::text(&bitcode)?.into_bytes()),
            false => modules::object_file(bitcode),
        }
    }
}
