//! Places of instructions in the source, for findings.

use crate::ir::{SourceFile, Value};
use findings::Place;
use std::collections::HashMap;

/// Finds places. Keeps the lines of the files.
#[derive(Default)]
pub struct Places {
    lines: HashMap<String, Vec<String>>,
}

impl Places {
    /// Where an instruction is; none without line tables.
    pub fn place(&mut self, instruction: Value) -> Option<Place> {
        let (source, line) = SourceFile::at(instruction)?;
        let file = source.name();
        let lines = self.lines.entry(file.clone()).or_insert_with(|| {
            let text = source.text().unwrap_or_default();
            text.lines()
                .map(|line| line.trim_end().to_owned())
                .collect()
        });
        Some(Place {
            text: lines.get(line as usize - 1).cloned().unwrap_or_default(),
            file,
            line,
            column: instruction.source_column(),
        })
    }
}
