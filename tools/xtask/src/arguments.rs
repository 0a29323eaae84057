//! Inspects arguments that xtask passes on to other programs.

/// The value of an option, given as `--name value` or `--name=value`.
pub fn value<'a>(arguments: &'a [String], option: &str) -> Option<&'a str> {
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix(option) {
            Some("") => return words.next().map(String::as_str),
            Some(rest) if rest.starts_with('=') => return Some(&rest[1..]),
            _ => {}
        }
    }
    None
}

/// Whether the program only prints something, so that no library is needed.
pub fn prints_only(arguments: &[String]) -> bool {
    let informative = ["--list", "--show", "--help", "-h", "--version", "-V"];
    let name = |word: &String| word.split('=').next().unwrap_or_default().to_owned();
    arguments
        .iter()
        .any(|word| informative.contains(&name(word).as_str()))
}

#[cfg(test)]
mod tests {
    use super::{prints_only, value};

    #[test]
    fn the_platform_is_found_among_the_arguments() {
        let of = |line: &str| {
            let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
            value(&words, "--platform").map(str::to_owned)
        };
        assert_eq!(of("--platform PoCL").as_deref(), Some("PoCL"));
        let line = "--jobs 2 --platform=mocl3 --list";
        assert_eq!(of(line).as_deref(), Some("mocl3"));
        assert_eq!(of("--filter platform"), None);
        assert!(prints_only(&["--list".into()]) && !prints_only(&["--filter".into()]));
    }
}
