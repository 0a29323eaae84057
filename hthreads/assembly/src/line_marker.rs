//! Line markers of the preprocessor, and the numbers that they give to lines.

/// The lines of a text with their numbers.
pub fn numbered(text: &str) -> impl Iterator<Item = (u32, &str)> {
    let mut number = 0;
    text.lines().filter_map(move |text| {
        number += 1;
        match marker(text) {
            Some((line, _)) => {
                number = line.saturating_sub(1);
                None
            }
            None => Some((number, text)),
        }
    })
}

/// The line and the file of a preprocessor's line marker.
pub fn marker(text: &str) -> Option<(u32, Option<&str>)> {
    let rest = text.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let line: u32 = rest[..end].parse().ok()?;
    let name = rest[end..].trim_start().strip_prefix('"');
    let name = name.and_then(|name| name.split('"').next());
    Some((line, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_number_the_lines_that_follow() {
        let text = "a\n# 7 \"f.c\"\nb\n\n#line 3\nc\n# comment\n";
        let expected = [(1, "a"), (7, "b"), (8, ""), (3, "c"), (4, "# comment")];
        assert_eq!(numbered(text).collect::<Vec<_>>(), expected);
    }
}
