//! Text composed in a signal handler, and written to standard error at once.

use std::fmt::{self, Write};

/// Most bytes of a text; what exceeds them is left out.
const CAPACITY: usize = 1024;

pub(super) struct Paragraph {
    bytes: [u8; CAPACITY],
    used: usize,
}

impl Paragraph {
    pub fn new() -> Self {
        Self {
            bytes: [0; CAPACITY],
            used: 0,
        }
    }

    /// Appends text.
    pub fn add(&mut self, text: fmt::Arguments<'_>) {
        // What does not fit is left out.
        let _ = self.write_fmt(text);
    }

    /// Appends the sizes of the used dimensions: `(4, 2)`.
    pub fn add_sizes(&mut self, sizes: &[u64]) {
        for (number, size) in sizes.iter().enumerate() {
            let before = if number == 0 { "(" } else { ", " };
            self.add(format_args!("{before}{size}"));
        }
        self.add(format_args!(")"));
    }

    pub fn text(&self) -> &[u8] {
        &self.bytes[..self.used]
    }

    /// Writes it.
    pub fn print(&self) {
        write(self.text());
    }
}

/// Writes text to standard error, by one system call where the file takes that many bytes.
pub(super) fn write(text: &[u8]) {
    let mut left = text;
    while !left.is_empty() {
        // SAFETY: the bytes are valid for reads.
        let written = unsafe { libc::write(libc::STDERR_FILENO, left.as_ptr().cast(), left.len()) };
        match usize::try_from(written) {
            Ok(written) if written > 0 => left = &left[written.min(left.len())..],
            _ => return,
        }
    }
}

impl Write for Paragraph {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let count = text.len().min(CAPACITY - self.used);
        self.bytes[self.used..self.used + count].copy_from_slice(&text.as_bytes()[..count]);
        self.used += count;
        if count < text.len() {
            return Err(fmt::Error);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_left_out() {
        let mut paragraph = Paragraph::new();
        paragraph.add_sizes(&[4, 2]);
        assert_eq!(paragraph.text(), b"(4, 2)");
        for _ in 0..CAPACITY {
            paragraph.add(format_args!("abc"));
        }
        assert_eq!(paragraph.text().len(), CAPACITY);
    }
}
