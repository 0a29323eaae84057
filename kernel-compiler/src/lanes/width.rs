//! How many work-items run as lanes.

use crate::specialisation::Specialisation;
use once_cell::sync::Lazy;
use std::ffi::OsStr;

/// A number of lanes; `0`, or not set: none.
const VARIABLE: &str = "MOCL3_LANES";

/// What may be asked for.
const WIDTHS: &[u32] = &[4, 8, 16, 32];

static ASKED: Lazy<Option<u32>> = Lazy::new(|| {
    let value = std::env::var_os(VARIABLE);
    asked(value.as_deref()).unwrap_or_else(|| {
        let value = value.unwrap_or_default();
        log::warn!("{VARIABLE}={value:?} is none of 0, 4, 8, 16 and 32; there are no lanes");
        None
    })
});

/// None if the value is wrong.
fn asked(value: Option<&OsStr>) -> Option<Option<u32>> {
    let text = value.unwrap_or_default().to_str()?;
    if text.is_empty() || text == "0" {
        return Some(None);
    }
    let width = text.parse().ok()?;
    WIDTHS.contains(&width).then_some(Some(width))
}

/// How many lanes code made for that has; none if work-items run one after another, as they
/// do where groups would fill less than half of the lanes.
pub fn width(specialisation: &Specialisation) -> Option<u32> {
    ASKED.filter(|width| {
        let size = specialisation.local_size;
        size.is_none_or(|size| size[0] >= u64::from(*width) / 2)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_value_is_known_as_such() {
        for (value, meaning) in [
            ("", Some(None)),
            ("0", Some(None)),
            ("8", Some(Some(8))),
            ("32", Some(Some(32))),
            ("7", None),
            ("64", None),
            ("eight", None),
        ] {
            assert_eq!(asked(Some(OsStr::new(value))), meaning, "{value}");
        }
        assert_eq!(asked(None), Some(None));
    }
}
