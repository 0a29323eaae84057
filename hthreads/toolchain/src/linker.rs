//! The linker: object files, and the members of archives that they need, become one image.

use crate::archive::{self, Member};
use crate::command_line::Words;
use crate::symbol_table::SymbolTable;
use anyhow::{Context, Result, bail};
use device_sim::machine::Machine;
use kernel_compiler::device_c::{self, SymbolKind, symbols};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What a command line requests.
#[derive(Debug, Default)]
struct Command {
    output: PathBuf,
    folders: Vec<PathBuf>,
    inputs: Vec<Input>,
}

#[derive(Clone, Debug)]
enum Input {
    File(PathBuf),
    /// `-l`: an archive in one of the folders.
    Library(String),
}

/// Options without a value that change nothing here.
const NO_EFFECT: &[&str] = &[
    "--gc-sections",
    "--no-gc-sections",
    "--start-group",
    "--end-group",
    "-(",
    "-)",
    "-static",
    "-nostdlib",
    "--print-memory-usage",
];

/// Links.
///
/// # Errors
/// The command line is wrong, a file cannot be read, a symbol is defined twice or not at all, or
/// GSM is too small.
pub fn run(arguments: &[String]) -> Result<()> {
    let command = Command::parse(arguments)?;
    if command.inputs.is_empty() {
        bail!("no input files");
    }
    let mut linking = Linking::default();
    for input in &command.inputs {
        let path = command.path(input)?;
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("a") => linking.add_archive(&path)?,
            _ => linking.add_file(&path)?,
        }
    }
    linking.check()?;
    let files: Vec<&[u8]> = linking.files.iter().map(Vec::as_slice).collect();
    let image = device_c::link(&files)?;
    let output = &command.output;
    std::fs::write(output, image).with_context(|| output.display().to_string())
}

impl Command {
    fn parse(arguments: &[String]) -> Result<Self> {
        let mut command = Self {
            output: "a.out".into(),
            ..Self::default()
        };
        let mut scripts = Vec::new();
        let mut words = Words::new(arguments);
        while let Some(word) = words.next() {
            if !word.starts_with('-') {
                command.inputs.push(Input::File(word.into()));
            } else if NO_EFFECT.contains(&word) || word.starts_with("-Map=") {
                // Nothing to do.
            } else if let Some(file) = words.value(word, "-o")? {
                command.output = file.into();
            } else if let Some(folder) = words.value(word, "-L")? {
                command.folders.push(folder.into());
            } else if let Some(library) = words.value(word, "-l")? {
                command.inputs.push(Input::Library(library.to_owned()));
            } else if let Some(script) = words.value(word, "-T")? {
                scripts.push(PathBuf::from(script));
            } else if words
                .value(word, "-Map")?
                .or(words.value(word, "-e")?)
                .is_none()
            {
                bail!("unrecognized option '{word}'");
            }
        }
        for script in scripts {
            if command.find(&script).is_none() {
                let script = script.display();
                bail!("cannot open linker script file {script}: No such file or directory");
            }
        }
        Ok(command)
    }

    /// A file, as it is named or in one of the folders of `-L`.
    fn find(&self, name: &Path) -> Option<PathBuf> {
        let places = self.folders.iter().map(|folder| folder.join(name));
        std::iter::once(name.to_owned())
            .chain(places)
            .find(|path| path.is_file())
    }

    fn path(&self, input: &Input) -> Result<PathBuf> {
        match input {
            Input::File(path) if path.is_file() => Ok(path.clone()),
            Input::File(path) => bail!("cannot find {}: No such file or directory", path.display()),
            Input::Library(name) => {
                let archive = format!("lib{name}.a");
                let places = self.folders.iter().map(|folder| folder.join(&archive));
                places
                    .into_iter()
                    .find(|path| path.is_file())
                    .with_context(|| format!("cannot find -l{name}"))
            }
        }
    }
}

/// The files that are linked.
#[derive(Default)]
struct Linking {
    files: Vec<Vec<u8>>,
    table: SymbolTable,
}

impl Linking {
    fn add_file(&mut self, path: &Path) -> Result<()> {
        let name = path.display().to_string();
        let contents = std::fs::read(path).with_context(|| name.clone())?;
        self.add(&name, contents)
    }

    fn add(&mut self, name: &str, contents: Vec<u8>) -> Result<()> {
        let symbols = symbols(&contents)
            .map_err(|_| anyhow::anyhow!("{name}: file not recognized: not made by this m3cc"))?;
        self.table.add(name, &symbols)?;
        self.files.push(contents);
        Ok(())
    }

    /// Adds members while they define what is lacking.
    fn add_archive(&mut self, path: &Path) -> Result<()> {
        let archive = path.display().to_string();
        let mut left: Vec<(Member, Vec<String>)> = Vec::new();
        for member in archive::read(path)? {
            let name = format!("{archive}({})", member.0);
            let symbols = symbols(&member.1).map_err(|_| {
                anyhow::anyhow!("{name}: file not recognized: not made by this m3cc")
            })?;
            let defines = symbols
                .into_iter()
                .filter(|symbol| symbol.kind != SymbolKind::Undefined);
            left.push((member, defines.map(|symbol| symbol.name).collect()));
        }
        loop {
            let is_needed =
                |defines: &Vec<String>| defines.iter().any(|name| self.table.lacks(name));
            let Some(next) = left.iter().position(|(_, defines)| is_needed(defines)) else {
                return Ok(());
            };
            let ((member, contents), _) = left.remove(next);
            self.add(&format!("{archive}({member})"), contents)?;
        }
    }

    /// Checks that the image is complete.
    fn check(&self) -> Result<()> {
        let known: HashSet<&str> = device_threads::names()
            .chain(device_c::c_library())
            .collect();
        let lacking = self.table.lacking();
        let lacking = lacking.filter(|(symbol, _)| !known.contains(symbol));
        let messages: Vec<String> = lacking
            .map(|(symbol, file)| format!("{file}: undefined reference to `{symbol}'"))
            .collect();
        if !messages.is_empty() {
            bail!("{}", messages.join("\nMT-3000-ld: error: "));
        }
        let (bytes, gsm) = (
            self.table.gsm_bytes,
            Machine::mt3000().memory.gsm.size.value,
        );
        if bytes > gsm {
            bail!("section `.gsm' will not fit: {bytes} bytes, GSM has {gsm}");
        }
        Ok(())
    }
}
