//! The header of a case: comment lines at the beginning of its file.

use anyhow::{Context, Result, bail, ensure};

/// Keys of headers; other lines describe the bug.
const KEYS: &[&str] = &[
    "fixed by",
    "options",
    "environment",
    "kernel",
    "global",
    "local",
    "offset",
    "arg",
    "expect",
    "reference",
    "refused",
    "prints",
    "only on",
];

/// A header.
#[derive(Debug)]
pub struct Header<'t> {
    /// What the bug was.
    pub description: String,
    entries: Vec<(&'static str, &'t str)>,
}

impl<'t> Header<'t> {
    /// Reads the lines at the beginning that start with `//`.
    ///
    /// # Errors
    /// The description is missing, or the commit that fixed the bug.
    pub fn parse(text: &'t str) -> Result<Self> {
        let lines = text.lines().map_while(|line| line.strip_prefix("//"));
        let mut entries = Vec::new();
        let mut description = Vec::new();
        for line in lines.map(str::trim) {
            let entry = line.split_once(':').and_then(|(key, value)| {
                let key = KEYS.iter().find(|known| **known == key)?;
                Some((*key, value.trim()))
            });
            match entry {
                Some(entry) => entries.push(entry),
                None => description.push(line),
            }
        }
        let description = description.join(" ").trim().to_owned();
        ensure!(
            !description.is_empty(),
            "the header does not say what the bug was"
        );
        let header = Self {
            description,
            entries,
        };
        let commit = header.one("fixed by")?;
        ensure!(
            commit.len() >= 7 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()),
            "`fixed by: {commit}` is not a commit"
        );
        Ok(header)
    }

    /// All values of a key.
    pub fn all(&self, key: &str) -> Vec<&'t str> {
        let values = self.entries.iter().filter(|(name, _)| *name == key);
        values.map(|(_, value)| *value).collect()
    }

    /// The value of a key, if it is there.
    ///
    /// # Errors
    /// It is there more than once.
    pub fn optional(&self, key: &str) -> Result<Option<&'t str>> {
        match self.all(key)[..] {
            [] => Ok(None),
            [value] => Ok(Some(value)),
            _ => bail!("`{key}:` is there more than once"),
        }
    }

    /// The value of a key.
    ///
    /// # Errors
    /// It is missing, or there more than once.
    pub fn one(&self, key: &str) -> Result<&'t str> {
        let value = self.optional(key)?;
        value.with_context(|| format!("the header has no `{key}:`"))
    }

    /// The environments to run in, each a list of variables and values. The first is empty: a
    /// case always runs with default settings too.
    ///
    /// # Errors
    /// A line is not `NAME=VALUE …`.
    pub fn environments(&self) -> Result<Vec<Vec<(&'t str, &'t str)>>> {
        let mut environments = vec![Vec::new()];
        for line in self.all("environment") {
            let variables = line.split_whitespace().map(|word| {
                let variable = word.split_once('=');
                variable.with_context(|| format!("`{word}` is not NAME=VALUE"))
            });
            environments.push(variables.collect::<Result<_>>()?);
        }
        Ok(environments)
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn keys_are_distinguished_from_the_description() {
        let text = "// A crash: see below.\n// fixed by: 0123abc\n// arg: int = 1\n// arg: local int[2]\n\
                    // environment: A=1 B=2\n\n// arg: not in the header\n";
        let header = Header::parse(text).unwrap();
        assert_eq!(header.description, "A crash: see below.");
        assert_eq!(header.all("arg"), ["int = 1", "local int[2]"]);
        assert_eq!(header.optional("options").unwrap(), None);
        assert!(header.one("arg").is_err());
        let environments = header.environments().unwrap();
        assert_eq!(environments, [vec![], vec![("A", "1"), ("B", "2")]]);
    }

    #[test]
    fn the_bug_and_its_fix_are_required() {
        for text in [
            "// fixed by: 0123abc\n",
            "// A crash.\n",
            "// A crash.\n// fixed by: me\n",
        ] {
            assert!(Header::parse(text).is_err(), "{text}");
        }
    }
}
