//! Benchmarks, and the sources of their programs.

use std::fmt::Write;

/// A benchmark.
pub struct Benchmark {
    /// Its name in the page's table.
    pub name: String,
    /// The source of its program.
    pub source: String,
}

/// A source that is written instruction by instruction.
#[derive(Default)]
pub struct Builder {
    source: String,
    /// The next region that no task uses.
    next: u16,
}

impl Builder {
    /// A region of its own.
    pub fn region(&mut self) -> u16 {
        self.next += 1;
        self.next
    }

    /// An instruction or a directive.
    pub fn line(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a String cannot fail.
        let _ = writeln!(self.source, "{text}");
    }

    /// A task that reads a region; returns the region that it writes.
    pub fn task(&mut self, function: &str, input: u16) -> u16 {
        let output = self.region();
        self.line(format_args!("{function} {input:x} 1 {output:x} 1 0 0 0 0"));
        output
    }

    /// A task that reads a region of its own.
    pub fn independent(&mut self, function: &str) -> u16 {
        let input = self.region();
        self.task(function, input)
    }

    /// The values of branches, the constant in register 10 that they are compared with, and a branch that
    /// jumps over `distance` instructions if a value is less than or equal to it.
    pub fn branch(&mut self, region: u16, watches_bus: bool, is_taken: bool, distance: u16) {
        let value = if is_taken { 1 } else { 9 };
        let control = if watches_bus { 0xe } else { 0xd };
        self.line(format_args!(".reads {region:x} {value}"));
        self.line(format_args!("mov 3 0 a 0 0 0 0 0"));
        let distance = distance + 1;
        self.line(format_args!(
            "if {region:x} a {distance:x} 0 0 0 {control:x} 0"
        ));
    }

    /// A task whose regions are in registers; register 3 has their sizes.
    pub fn indirect(&mut self, function: &str, input: u8, output: u8) {
        self.line(format_args!("{function} {input:x} 3 {output:x} 3 0 0 1 0"));
    }

    /// The source.
    pub fn finish(self) -> String {
        self.source
    }
}
