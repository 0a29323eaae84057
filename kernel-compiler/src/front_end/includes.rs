//! Which files of the host a program may include.

use crate::front_end::options::BuildOptions;
use environment::INCLUDE;
use once_cell::sync::Lazy;
use serde::Serialize;
use std::ffi::OsStr;

/// Where `#include`, `#embed` and `__has_include` find files of the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Includes {
    /// Wherever the process may read.
    Anywhere,
    /// In the folders that `-I` names.
    Folders,
}

static OF_THE_ENVIRONMENT: Lazy<Includes> = Lazy::new(|| {
    // The user who started such a program may have written the source as well.
    if !environment::is_trusted() {
        return Includes::Folders;
    }
    let value = INCLUDE.get();
    asked(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::error!("{INCLUDE}={value:?} is neither `anywhere` nor `folders`; using `folders`");
        Includes::Folders
    })
});

/// None if the value is wrong.
fn asked(value: Option<&OsStr>) -> Option<Includes> {
    match value.unwrap_or_default().to_str()? {
        "" | "anywhere" => Some(Includes::Anywhere),
        "folders" => Some(Includes::Folders),
        _ => None,
    }
}

impl Includes {
    /// What the environment and the options of a build allow.
    pub fn new(options: &BuildOptions) -> Self {
        match options.includes_from_folders_only() {
            true => Self::Folders,
            false => *OF_THE_ENVIRONMENT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_two() {
        assert_eq!(asked(None), Some(Includes::Anywhere));
        for (value, includes) in [
            ("", Some(Includes::Anywhere)),
            ("anywhere", Some(Includes::Anywhere)),
            ("folders", Some(Includes::Folders)),
            ("1", None),
        ] {
            assert_eq!(asked(Some(OsStr::new(value))), includes, "{value}");
        }
    }
}
