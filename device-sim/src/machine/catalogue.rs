//! The machines that ship with the platform, in the library and as files.

/// A machine that ships with the platform.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The name by which `MOCL3_MACHINE` and `base` select it; that of its file.
    pub name: &'static str,
    /// Its description.
    pub text: &'static str,
}

macro_rules! shipped {
    ($($name:literal),*) => {
        &[$(Shipped {
            name: $name,
            text: include_str!(concat!("../../machines/", $name, ".toml")),
        },)*]
    };
}

/// The machines, the built-in one first.
pub const SHIPPED: &[Shipped] = shipped![
    "mt3000",
    "ft-m7032",
    "connexarray",
    "fast-memory",
    "dsp",
    "mma"
];

impl Shipped {
    /// The name of the system for signal processing.
    pub const DSP: &str = "dsp";

    /// The machine of that name.
    pub fn find(name: &str) -> Option<&'static Self> {
        SHIPPED.iter().find(|shipped| shipped.name == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::{Description, MT3000};

    #[test]
    fn the_shipped_machines_are_the_files_of_the_folder() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/machines");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut names: Vec<String> = SHIPPED
            .iter()
            .map(|shipped| format!("{}.toml", shipped.name))
            .collect();
        names.sort();
        assert_eq!(files, names);
        assert_eq!(SHIPPED[0].text, MT3000);
    }

    #[test]
    fn the_shipped_machines_are_valid() {
        for shipped in SHIPPED {
            let description = Description::parse(shipped.text);
            description.unwrap().machine().expect(shipped.name);
        }
    }
}
