//! The compiler, with GCC's command line.

use crate::assembler;
use crate::dependencies::{self, Dependencies};
use crate::device_files::HEADERS;
use crate::modules;
use anyhow::{Context, Result, bail};
use device_linker::{Words, linker};
use kernel_compiler::device_c::{self, Source, Written, assembly, compile, preprocess};
use std::io::Write;
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
    "-nostdlib",
    "-nostartfiles",
    "-nodefaultlibs",
    "-static",
];

/// Options that clang's front end has under the same name.
const KEPT: &[&str] = &[
    "-w",
    "-pedantic",
    "-ffast-math",
    "-fno-builtin",
    "-fno-common",
];

/// Options of the preprocessor with a value in the next word.
const OF_HEADERS: &[&str] = &["-include", "-imacros", "-isystem", "-iquote", "-idirafter"];

/// Options that say how the preprocessor's text is written.
const OF_TEXT: &[&str] = &["-P", "-C", "-CC", "-dM", "-dD", "-dI"];

/// What a command line requests.
#[derive(Debug, Default)]
struct Command {
    /// Whether to stop before compiling.
    only_preprocesses: bool,
    /// Whether to stop before linking.
    only_compiles: bool,
    /// Whether to write assembly, which is that of LLVM, instead of object files.
    writes_assembly: bool,
    /// Whether its files are called so.
    emits_llvm: bool,
    output: Option<PathBuf>,
    sources: Vec<String>,
    /// Arguments of clang's.
    arguments: Vec<String>,
    /// Those of its preprocessor.
    preprocessor: Vec<String>,
    /// Those of the preprocessor's text.
    text: Vec<String>,
    dependencies: Dependencies,
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
    let stops = command.only_preprocesses || command.only_compiles;
    if command.sources.is_empty() && (stops || command.linker.is_empty()) {
        bail!("no input files");
    }
    if command.only_preprocesses {
        return command.preprocess_only();
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
        if command.emits_llvm && !command.writes_assembly {
            bail!("'-emit-llvm' needs '-S'");
        }
        command.only_compiles |= command.writes_assembly;
        command.only_preprocesses |= command.dependencies.is_all;
        Ok(command)
    }

    fn take<'a>(&mut self, word: &'a str, words: &mut Words<'a>) -> Result<()> {
        if !word.starts_with('-') {
            self.input(word)?;
        } else if self.takes_mode(word) || self.dependencies.take(word, words)? {
            // It is taken.
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
        } else if OF_HEADERS.contains(&word) {
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
        } else {
            bail!("unrecognized command-line option '{word}'");
        }
        Ok(())
    }

    /// Takes an option that says what is written.
    fn takes_mode(&mut self, word: &str) -> bool {
        match word {
            "-c" => self.only_compiles = true,
            "-E" => self.only_preprocesses = true,
            "-S" => self.writes_assembly = true,
            "-emit-llvm" => self.emits_llvm = true,
            _ if OF_TEXT.contains(&word) => self.text.push(word.to_owned()),
            _ => return false,
        }
        true
    }

    fn input(&mut self, word: &str) -> Result<()> {
        match Path::new(word)
            .extension()
            .and_then(|extension| extension.to_str())
        {
            Some("c" | "i" | "s" | "S" | "ll") => {
                self.linker.push(Input::Source(self.sources.len()));
                self.sources.push(word.to_owned());
            }
            Some("o" | "a") => self.linker.push(Input::Other(word.to_owned())),
            _ => bail!("{word}: file is neither C, assembly, an object file nor an archive"),
        }
        Ok(())
    }

    /// Writes what the preprocessor makes of the sources, or the rules of their dependencies.
    fn preprocess_only(&self) -> Result<()> {
        let mut text = Vec::new();
        for source in &self.sources {
            text.extend(match self.dependencies.is_all {
                true => self.rules(source)?,
                false => self.preprocessed(source, &self.text)?,
            });
        }
        let output = self.output.as_deref();
        match output.or(self.dependencies.file_of_all()) {
            Some(file) => std::fs::write(file, text).with_context(|| file.display().to_string()),
            None => std::io::stdout()
                .write_all(&text)
                .context("the standard output"),
        }
    }

    /// The rules for make of a source.
    fn rules(&self, source: &str) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().context("a folder for rules")?;
        let file = folder.path().join("rules.d");
        let object = named_after(source, "o")?;
        self.preprocessed(source, &self.dependencies.arguments(&file, &object))?;
        Ok(dependencies::without_own_header(&file)?.into_bytes())
    }

    /// The preprocessor's text of a source.
    fn preprocessed(&self, source: &str, more: &[String]) -> Result<Vec<u8>> {
        let (written, mut arguments) = match Path::new(source).extension() {
            Some(extension) if extension == "S" => (Written::InAssembly, Vec::new()),
            Some(extension) if extension == "c" => (Written::InC, self.of_language()),
            _ => bail!("{source}: file is not preprocessed"),
        };
        arguments.extend_from_slice(&self.preprocessor);
        arguments.extend_from_slice(more);
        let source = Source {
            path: source,
            arguments: &arguments,
            headers: HEADERS,
        };
        let (text, log) = preprocess(&source, written)?;
        eprint!("{log}");
        Ok(text)
    }

    fn compile_only(&self) -> Result<()> {
        if self.output.is_some() && self.sources.len() > 1 {
            let option = if self.writes_assembly { "-S" } else { "-c" };
            bail!("cannot specify '-o' with '{option}' with multiple files");
        }
        for source in &self.sources {
            let object = match &self.output {
                Some(output) => output.clone(),
                None => named_after(source, self.extension())?,
            };
            self.compile(source, &object)?;
        }
        Ok(())
    }

    /// The extension of what a source is compiled to.
    fn extension(&self) -> &'static str {
        match (self.writes_assembly, self.emits_llvm) {
            (false, _) => "o",
            (true, false) => "s",
            (true, true) => "ll",
        }
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
            Some(extension) if self.writes_assembly && extension != "c" && extension != "i" => {
                bail!("{source}: '-S' takes C files")
            }
            Some(extension) if extension == "s" || extension == "ll" => assembler::object(source)?,
            Some(extension) if extension == "S" => self.preprocess_and_assemble(source, object)?,
            _ => self.compile_c(source, object)?,
        };
        std::fs::write(object, contents).with_context(|| object.display().to_string())
    }

    /// Calls `act` with the arguments that write the rules of a source, if they are wanted.
    fn with_rules<R>(&self, object: &Path, act: impl FnOnce(&[String]) -> Result<R>) -> Result<R> {
        let Some(file) = self.dependencies.file(object) else {
            return act(&[]);
        };
        let result = act(&self.dependencies.arguments(&file, object))?;
        let rules = dependencies::without_own_header(&file)?;
        std::fs::write(&file, rules).with_context(|| file.display().to_string())?;
        Ok(result)
    }

    fn preprocess_and_assemble(&self, source: &str, object: &Path) -> Result<Vec<u8>> {
        let text = self.with_rules(object, |more| self.preprocessed(source, more))?;
        modules::object_file(assembly::compile(source, &String::from_utf8_lossy(&text))?)
    }

    /// The arguments of clang's language.
    fn of_language(&self) -> Vec<String> {
        // The machine's compiler forms fused operations of all that it can, from -O1 on.
        let mut arguments = match self.optimises {
            true => vec!["-O2".to_owned(), "-ffp-contract=fast".to_owned()],
            false => vec!["-O0".to_owned(), "-ffp-contract=off".to_owned()],
        };
        arguments.extend_from_slice(&self.arguments);
        arguments
    }

    fn compile_c(&self, source: &str, object: &Path) -> Result<Vec<u8>> {
        let mut arguments = self.of_language();
        // A file that has been preprocessed has no macros left.
        if !source.ends_with(".i") {
            arguments.extend_from_slice(&self.preprocessor);
        }
        let bitcode = self.with_rules(object, |more| {
            arguments.extend_from_slice(more);
            let (bitcode, log) = compile(&Source {
                path: source,
                arguments: &arguments,
                headers: HEADERS,
            })?;
            eprint!("{log}");
            Ok(bitcode)
        })?;
        match (self.writes_assembly, self.emits_llvm) {
            (false, _) => modules::object_file(bitcode),
            (true, false) => Ok(device_c::marked_text(&bitcode)?.into_bytes()),
            (true, true) => Ok(device_c::text(&bitcode)?.into_bytes()),
        }
    }
}

/// A file in the working directory with the name of a source and another extension.
fn named_after(source: &str, extension: &str) -> Result<PathBuf> {
    let file = Path::new(source).with_extension(extension);
    let name = file.file_name().map(PathBuf::from);
    name.context("a source has a name")
}
