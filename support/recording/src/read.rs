//! Reading recordings.

use crate::line::SHORT;
use crate::recent::{self, Recent};
use crate::short::{CallHistory, CommandHistory};
use crate::{Call, Command, End, FORMAT, Header, Kind, Line, Program};
use device_sim::timing::launch_report::LaunchReport;
use serde::Deserialize;
use serde::de::Error as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The recording of a process.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Process {
    /// The process and its machine.
    pub header: Header,
    /// Programs whose kernels were launched.
    pub programs: Vec<Program>,
    /// Commands in the order of their numbers.
    pub commands: Vec<Command>,
    /// Number of commands in the file, those included that were not selected.
    pub command_count: u64,
    /// API calls in the order in which they began, by simulated time.
    pub calls: Vec<Call>,
    /// None if the process did not end normally.
    pub end: Option<End>,
}

impl Process {
    /// The program's name without its folder.
    pub fn name(&self) -> &str {
        let program = self.header.arguments.first().map_or("?", String::as_str);
        program.rsplit('/').next().unwrap_or(program)
    }

    /// Adds a line that is no header.
    fn add(&mut self, line: Line) -> Result<(), ()> {
        match line {
            Line::Header(_) => return Err(()),
            Line::Program(program) => add_program(&mut self.programs, program),
            Line::Command(command) => self.commands.push(*command),
            Line::Call(call) => self.calls.push(call),
            Line::End(end) => self.end = Some(end),
        }
        Ok(())
    }

    /// The program's name without its folder, and the process's number.
    pub fn title(&self) -> String {
        format!("{} [{}]", self.name(), self.header.pid)
    }
}

/// Why a recording cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// Folder or file cannot be read.
    #[error("cannot read {}", .0.display())]
    Io(PathBuf, #[source] io::Error),
    /// A line is not in the format.
    #[error("{}, line {}: no line of a recording", .0.display(), .1)]
    Line(PathBuf, usize, #[source] serde_json::Error),
    /// The first line is no header.
    #[error("{}: does not begin with a header", .0.display())]
    NoHeader(PathBuf),
    /// The library that wrote it has another version of the format.
    #[error("{}: recording of format {found}, but this program reads format {FORMAT}; use library and `mocl3` of one version", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
}

/// The part of a file that is read.
pub struct Selection<'a> {
    /// The types of the lines; the header is always read. Other lines are not parsed.
    pub kinds: &'a [Kind],
    /// Whether a line of these is kept, with the number of bytes of the file up to its end. A
    /// command has its report.
    pub keep: &'a mut dyn FnMut(&Line, u64) -> bool,
}

/// The files of a folder's processes.
///
/// # Errors
/// There is no such folder.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let failed = |error| ReadError::Io(folder.to_owned(), error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "jsonl")
        {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Reads a folder: its processes in the order of their numbers.
///
/// # Errors
/// As `read_file`, or there is no such folder.
pub fn read_folder(folder: &Path) -> Result<Vec<Process>, ReadError> {
    let mut processes = files(folder)?
        .iter()
        .filter_map(|path| read_file(path).transpose())
        .collect::<Result<Vec<_>, _>>()?;
    processes.sort_by_key(|process| process.header.pid);
    Ok(processes)
}

/// Reads the file of a process; none if it was killed before it had written its header. A last
/// line that is cut off is left out.
///
/// # Errors
/// The file cannot be read, or is no recording of this format.
pub fn read_file(path: &Path) -> Result<Option<Process>, ReadError> {
    let selection = Selection {
        kinds: &Kind::ALL,
        keep: &mut |_, _| true,
    };
    read_selected(path, selection)
}

/// Reads a part of the file of a process, like `read_file`. It takes memory for the lines that are
/// kept.
///
/// # Errors
/// Those of `read_file`.
pub fn read_selected(path: &Path, selection: Selection<'_>) -> Result<Option<Process>, ReadError> {
    let io = |error| ReadError::Io(path.to_owned(), error);
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).map_err(io)?);
    let mut text = Vec::new();
    // Whether a whole line was read.
    let mut next = |text: &mut Vec<u8>| -> Result<bool, ReadError> {
        text.clear();
        file.read_until(b'\n', text).map_err(io)?;
        Ok(text.ends_with(b"\n"))
    };
    if !next(&mut text)? {
        return Ok(None);
    }
    check_format(path, &text)?;
    let failed = |number: usize, error| ReadError::Line(path.to_owned(), number, error);
    let Line::Header(header) = serde_json::from_slice(&text).map_err(|error| failed(1, error))?
    else {
        return Err(ReadError::NoHeader(path.to_owned()));
    };
    let mut process = Process {
        header: *header,
        ..Process::default()
    };
    let mut lines = Lines::default();
    let mut position = text.len() as u64;
    let mut number = 1;
    while next(&mut text)? {
        number += 1;
        position += text.len() as u64;
        let kind = Kind::parse(&text);
        process.command_count += u64::from(kind == Some(Kind::Command));
        if text == b"\n" || kind.is_some_and(|kind| !selection.kinds.contains(&kind)) {
            continue;
        }
        let line = lines.parse(kind, &text);
        let line = line.map_err(|error| failed(number, error))?;
        if (selection.keep)(&line, position) {
            process
                .add(line)
                .map_err(|()| ReadError::NoHeader(path.to_owned()))?;
        }
    }
    process.commands.sort_by_key(|command| command.number);
    process
        .calls
        .sort_by_key(|call| (call.begin, call.host_begin));
    Ok(Some(process))
}

/// What lines may refer to.
#[derive(Default)]
struct Lines {
    reports: Recent<Arc<LaunchReport>>,
    commands: CommandHistory,
    calls: CallHistory,
}

impl Lines {
    /// The line of a text.
    fn parse(&mut self, kind: Option<Kind>, text: &[u8]) -> serde_json::Result<Line> {
        let is_short = text.starts_with(SHORT);
        match kind {
            Some(Kind::Command) if is_short => {
                let command = self.commands.lengthen(serde_json::from_slice(text)?);
                command.map(|command| Line::Command(Box::new(command)))
            }
            Some(Kind::Call) if is_short => {
                let call = self.calls.lengthen(serde_json::from_slice(text)?);
                call.map(Line::Call)
            }
            _ => Some(self.parse_whole(text)?),
        }
        .ok_or_else(|| serde_json::Error::custom("it refers to no earlier line"))
    }

    fn parse_whole(&mut self, text: &[u8]) -> serde_json::Result<Line> {
        let mut line = serde_json::from_slice(text)?;
        match &mut line {
            Line::Command(command) => {
                self.resolve(command);
                self.commands.add_read(Command::clone(command));
            }
            Line::Call(call) => self.calls.add_read(call.clone()),
            Line::Header(_) | Line::Program(_) | Line::End(_) => {}
        }
        Ok(line)
    }

    /// Gives a command the report that it refers to.
    fn resolve(&mut self, command: &mut Command) {
        if let Some(same) = command.same_report_as.take() {
            command.report = self.reports.get(same).cloned();
        } else if let Some(report) = &command.report {
            let weight = recent::weight(report);
            self.reports.add(command.number, Arc::clone(report), weight);
        }
    }
}

/// A program, or more files of one.
fn add_program(programs: &mut Vec<Program>, program: Program) {
    let known = programs
        .iter_mut()
        .find(|known| known.number == program.number);
    match known {
        Some(known) => known.files.extend(program.files),
        None => programs.push(program),
    }
}

/// Checks the version first, so that another one is not reported as a missing field.
fn check_format(path: &Path, first: &[u8]) -> Result<(), ReadError> {
    #[derive(Deserialize)]
    struct Version {
        line: String,
        format: u32,
    }
    match serde_json::from_slice::<Version>(first) {
        Ok(version) if version.line == "header" && version.format == FORMAT => Ok(()),
        Ok(version) if version.line == "header" => Err(ReadError::Format {
            path: path.to_owned(),
            found: version.format,
        }),
        _ => Err(ReadError::NoHeader(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Device, Peaks, SourceFile, Writer};
    use device_sim::timing::launch_report::LaunchReport;
    use device_sim::timing::launch_timing::{
        Activity, ActivitySlice, ArrayTiming, CyclesByActivity, LaunchTiming,
    };
    use device_sim::timing::line_cycles::LineCycles;
    use device_sim::units::{Bytes, Cycles};

    fn launch(number: u64) -> Command {
        Command {
            number,
            queue: 1,
            in_order: true,
            arrays: 24,
            kind: "CL_COMMAND_NDRANGE_KERNEL".into(),
            kernel: Some("add".into()),
            program: Some(1),
            global_size: [1024, 2].into_iter().collect(),
            local_size: [64, 1].into_iter().collect(),
            queued: 10,
            submit: 20,
            start: 30,
            end: 40,
            waited_for: [number - 1].into_iter().collect(),
            host_begin: 5,
            host_end: 6,
            report: Some(Arc::new(LaunchReport {
                timing: LaunchTiming {
                    start: Cycles(1),
                    end: Cycles(13),
                    arrays: vec![ArrayTiming {
                        array: 3,
                        begin: Cycles(1),
                        end: Cycles(12),
                        cycles: CyclesByActivity([5, 1, 2, 0, 0, 0, 2, 3].map(Cycles)),
                    }],
                    slices: vec![ActivitySlice {
                        array: 3,
                        begin: Cycles(1),
                        end: Cycles(2),
                        cycles: CyclesByActivity::single(Activity::DmaWait, Cycles(1)),
                    }],
                    ..LaunchTiming::default()
                },
                lines: vec![LineCycles {
                    file: "a.cl".into(),
                    line: 7,
                    cycles: CyclesByActivity::single(Activity::Compute, Cycles(8)),
                }],
                ..LaunchReport::default()
            })),
            ..Command::default()
        }
    }

    fn header() -> Header {
        Header {
            arguments: vec!["./add".into(), "a \"b\"\n".into()],
            machine: "MT-3000".into(),
            clock: 1_200_000_000,
            lanes: 16,
            devices: vec![Device {
                name: "cluster".into(),
                arrays: 24,
                clock: None,
            }],
            peaks: Peaks {
                double: 115_200_000_000,
                ..Peaks::default()
            },
            ..Header::default()
        }
    }

    #[test]
    fn what_is_written_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let inner = folder.path().join("made/with parents");
        let writer = Writer::create(&inner, header()).expect("a writer");
        let program = Program {
            number: 1,
            files: vec![SourceFile {
                name: "a.cl".into(),
                text: "kernel void add() {}\n\u{2028}".into(),
            }],
        };
        let call = Call {
            function: "clFinish".into(),
            thread: 2,
            begin: 1,
            end: 2,
            host_begin: 3,
            host_end: 4,
            command: None,
        };
        let end = End {
            host_time: 99,
            time: 40,
        };
        for line in [
            Line::Program(program.clone()),
            Line::Command(Box::new(launch(2))),
            Line::Command(Box::new(launch(1))),
            Line::Call(call.clone()),
            Line::End(end),
        ] {
            writer.write(&line).expect("written");
        }
        writer.flush().expect("written");
        let expected = Process {
            header: Header {
                format: FORMAT,
                pid: std::process::id(),
                ..header()
            },
            programs: vec![program],
            commands: vec![launch(1), launch(2)],
            command_count: 2,
            calls: vec![call],
            end: Some(end),
        };
        assert_eq!(read_folder(&inner).expect("a recording"), vec![expected]);
        let text = fs::read_to_string(writer.path()).expect("text");
        let reports = text.matches("\"report\"").count();
        assert_eq!(reports, 1, "two commands have the same report: {text}");
    }

    #[test]
    fn each_command_has_its_own_report() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = Writer::create(folder.path(), header()).expect("a writer");
        let commands: Vec<Command> = (1..40)
            .map(|number| {
                let mut command = launch(number);
                let report = command.report.as_mut().expect("launches have one");
                Arc::make_mut(report).stack = Bytes(number * number % 7);
                command
            })
            .collect();
        for command in &commands {
            let line = Line::Command(Box::new(command.clone()));
            writer.write(&line).expect("written");
        }
        writer.flush().expect("written");
        let processes = read_folder(folder.path()).expect("a recording");
        assert_eq!(processes[0].commands, commands);
    }

    #[test]
    fn what_is_not_selected_takes_no_memory_and_is_counted() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = Writer::create(folder.path(), header()).expect("a writer");
        for number in 1..=9 {
            let line = Line::Command(Box::new(launch(number)));
            writer.write(&line).expect("written");
            writer.write(&Line::Call(Call::default())).expect("written");
        }
        writer.flush().expect("written");
        let size = fs::metadata(writer.path()).expect("a file").len();
        let (mut seen, mut last) = (0, 0);
        let selection = Selection {
            kinds: &[Kind::Command],
            keep: &mut |line, position| {
                seen += 1;
                assert!(last < position && position <= size);
                last = position;
                matches!(line, Line::Command(command) if command.number == 9 && command.report.is_some())
            },
        };
        let process = read_selected(writer.path(), selection);
        let process = process.expect("a recording").expect("a header");
        assert_eq!((seen, process.command_count), (9, 9));
        assert_eq!(process.commands, [launch(9)]);
        assert!(process.calls.is_empty());
    }

    #[test]
    fn a_second_file_of_a_process_has_another_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = Writer::create(folder.path(), header()).expect("a writer");
        let second = Writer::create(folder.path(), header()).expect("a writer");
        assert_ne!(first.path(), second.path());
        assert_eq!(read_folder(folder.path()).expect("a recording").len(), 2);
    }

    #[test]
    fn a_process_that_was_killed_leaves_what_it_wrote() {
        let folder = tempfile::tempdir().expect("a folder");
        let writer = Writer::create(folder.path(), header()).expect("a writer");
        writer
            .write(&Line::Command(Box::new(launch(1))))
            .expect("written");
        writer.flush().expect("written");
        let mut bytes = fs::read(writer.path()).expect("the file");
        bytes.extend(b"{\"line\":\"comm");
        fs::write(writer.path(), bytes).expect("written");
        fs::write(folder.path().join("7.jsonl"), b"{\"li").expect("written");
        let processes = read_folder(folder.path()).expect("a recording");
        assert_eq!(processes.len(), 1);
        assert_eq!(processes[0].commands, vec![launch(1)]);
        assert_eq!(processes[0].end, None);
    }

    #[test]
    fn what_is_no_recording_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("1.jsonl");
        let read = |text: &str| {
            fs::write(&path, text).expect("written");
            read_file(&path).expect_err("no recording").to_string()
        };
        assert!(read("{\"line\":\"header\",\"format\":0}\n").contains("format 0"));
        assert!(read("{}\n").contains("header"));
        assert!(read("hello\n").contains("header"));
        let header = serde_json::to_string(&Line::Header(Box::new(Header {
            format: FORMAT,
            ..header()
        })))
        .expect("text");
        assert!(read(&format!("{header}\n{{}}\n")).contains("line 2"));
        assert!(read_folder(&folder.path().join("none")).is_err());
    }
}
