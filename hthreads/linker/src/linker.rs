//! The linker: object files, and the members of archives that they need, become one file, from which the image is
//! made. LLVM links the modules of C when the image is loaded.

use crate::archive;
use crate::command_line::Words;
use crate::object;
use crate::symbol_table::SymbolTable;
use anyhow::{Context, Result, bail};
use device_image::{ObjectFile, SymbolKind};
use device_sim::machine::Machine;
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

/// Links modules some of which have assembly to one.
pub type LinkAssembly = fn(&[&[u8]]) -> Result<Vec<u8>>;

/// Links.
///
/// # Errors
/// The command line is wrong, a file cannot be read, a symbol is defined twice or not at all,
/// GSM is too small, or those of `link_assembly`.
pub fn run(arguments: &[String], link_assembly: LinkAssembly) -> Result<()> {
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
    let linked = linking.finish(link_assembly)?.contents();
    let output = &command.output;
    std::fs::write(output, linked).with_context(|| output.display().to_string())
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
    files: Vec<(String, ObjectFile)>,
    table: SymbolTable,
}

impl Linking {
    fn add_file(&mut self, path: &Path) -> Result<()> {
        let file = object::read(path)?;
        self.add(path.display().to_string(), file)
    }

    fn add(&mut self, name: String, file: ObjectFile) -> Result<()> {
        self.table.add(&name, &file.symbols)?;
        self.files.push((name, file));
        Ok(())
    }

    /// Adds members while they define what is lacking.
    fn add_archive(&mut self, path: &Path) -> Result<()> {
        let archive = path.display().to_string();
        let mut left: Vec<(String, ObjectFile)> = Vec::new();
        for (member, contents) in archive::read(path)? {
            let name = format!("{archive}({member})");
            let file = object::parse(&name, &contents)?;
            left.push((name, file));
        }
        loop {
            let is_needed = |(_, file): &(String, ObjectFile)| {
                let mut symbols = file.symbols.iter();
                symbols.any(|one| one.kind != SymbolKind::Undefined && self.table.lacks(&one.name))
            };
            let Some(next) = left.iter().position(is_needed) else {
                return Ok(());
            };
            let (name, file) = left.remove(next);
            self.add(name, file)?;
        }
    }

    /// Checks that the program is complete.
    fn check(&self) -> Result<()> {
        let files = self.files.iter();
        let provided: HashSet<&str> = files
            .flat_map(|(_, file)| file.provided.iter().map(String::as_str))
            .collect();
        let lacking = self.table.lacking();
        let lacking = lacking.filter(|(symbol, _)| !provided.contains(symbol));
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

    /// All files as one.
    fn finish(self, link_assembly: LinkAssembly) -> Result<ObjectFile> {
        let mut linked = ObjectFile::default();
        for (name, file) in self.files {
            let symbols = file.symbols.into_iter();
            let defined = symbols.filter(|symbol| self.table.is_defined_by(&symbol.name, &name));
            linked.symbols.extend(defined);
            linked.provided.extend(file.provided);
            linked.has_assembly |= file.has_assembly;
            linked.modules.extend(file.modules);
        }
        if linked.has_assembly {
            let modules: Vec<&[u8]> = linked.modules.iter().map(|one| one.as_slice()).collect();
            linked.modules = vec![link_assembly(&modules)?.into()];
        }
        Ok(linked)
    }
}
