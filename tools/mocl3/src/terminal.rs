//! What text for people looks like: styles, and the width of the terminal.
//!
//! Text contains escape codes; the streams of the crate `anstream` remove them where there is no
//! terminal, or where `NO_COLOR` is set, and keep them where `CLICOLOR_FORCE` is.

use anstyle::{AnsiColor, Style};
use std::env;
use std::io::IsTerminal;

/// Headings and what a reader looks for first.
pub const STRONG: Style = Style::new().bold();
/// Errors and obstacles.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Warnings.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// Notes.
pub const NOTE: Style = AnsiColor::Cyan.on_default();
/// What is right.
pub const GOOD: Style = AnsiColor::Green.on_default();

/// The narrowest terminal for which texts are arranged, columns.
const NARROWEST: usize = 40;

/// The text in a style.
pub fn styled(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}

/// The columns of the terminal that `stream` is, or those that the variable `COLUMNS` gives.
/// `None`, for no limit, without both.
pub fn columns(stream: &impl IsTerminal) -> Option<usize> {
    let set = env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let columns = set.or_else(|| {
        let (width, _) = stream.is_terminal().then(terminal_size::terminal_size)??;
        Some(usize::from(width.0))
    });
    columns.map(|columns: usize| columns.max(NARROWEST))
}

/// Prints the error that ends a program, with its causes.
pub fn print_error(error: &anyhow::Error) {
    anstream::eprintln!("{} {error:#}", styled(ERROR, "error:"));
}

/// Breaks a paragraph at spaces into lines of at most `width` columns; all but the first are
/// indented. Words that are too long have a line of their own.
pub fn wrapped(text: &str, width: Option<usize>, indent: usize) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let mut lines = String::new();
    let mut used = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if used > indent && used + 1 + length > width {
            lines.push('\n');
            lines.push_str(&" ".repeat(indent));
            used = indent;
        } else if !lines.is_empty() {
            lines.push(' ');
            used += 1;
        }
        lines.push_str(word);
        used += length;
    }
    lines
}

/// Shortens a name to `width` columns by an ellipsis in the middle, since names differ at their ends.
pub fn shortened(name: &str, width: usize) -> String {
    let length = name.chars().count();
    if length <= width {
        return name.to_owned();
    }
    let kept = width.saturating_sub(1);
    let head = kept.div_ceil(2);
    let first = name.chars().take(head);
    let last = name.chars().skip(length - (kept - head));
    first.chain(['…']).chain(last).collect()
}

/// The log of a compiler with styles for its severities.
pub fn diagnostics(log: &str) -> String {
    let mut text = String::new();
    for line in log.split_inclusive('\n') {
        let severity = [("error: ", ERROR), ("warning: ", WARNING), ("note: ", NOTE)]
            .into_iter()
            .find_map(|(word, style)| {
                let begin = match line.starts_with(word) {
                    true => 0,
                    false => line.find(&format!(": {word}"))? + 2,
                };
                Some((begin, word.trim_end(), style))
            });
        match severity {
            Some((begin, word, style)) => {
                text += &line[..begin];
                text += &styled(style, word);
                text += &line[begin + word.len()..];
            }
            None => text += line,
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_in_the_middle() {
        assert_eq!(shortened("short", 5), "short");
        let name = "matrix_multiply_tiled (16×16)";
        assert_eq!(shortened(name, 16), "matrix_m…(16×16)");
        assert_eq!(shortened("abcdefghi", 4), "ab…i");
    }

    #[test]
    fn paragraphs_are_broken_at_spaces() {
        let text = "one two three four";
        assert_eq!(wrapped(text, None, 2), text);
        assert_eq!(wrapped(text, Some(9), 2), "one two\n  three\n  four");
        assert_eq!(
            wrapped("extraordinary a b", Some(6), 2),
            "extraordinary\n  a b"
        );
    }

    #[test]
    fn severities_have_styles() {
        let log = "a.cl:1:2: error: no `warning: ` here\nint x;\n";
        let expected = format!(
            "a.cl:1:2: {} no `warning: ` here\nint x;\n",
            styled(ERROR, "error:")
        );
        assert_eq!(diagnostics(log), expected);
        assert!(diagnostics("warning: x\n").starts_with(&styled(WARNING, "warning:")));
    }
}
