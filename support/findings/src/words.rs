//! Numbers in the messages of findings.

/// A size.
pub fn bytes(number: u64) -> String {
    match number {
        1 => "1 byte".to_owned(),
        number => format!("{number} bytes"),
    }
}

/// How far an access at an offset is outside of an object of that size; its name follows.
pub fn distance(offset: i64, size: u64) -> String {
    if offset < 0 {
        return format!(", {} before the start of", bytes(offset.unsigned_abs()));
    }
    match offset - size.cast_signed() {
        0 => " just after the end of".to_owned(),
        after if after > 0 => format!(", {} after the end of", bytes(after as u64)),
        within => format!(
            ", which begins {} before the end of",
            bytes(within.unsigned_abs())
        ),
    }
}
