//! Sizes as environment variables have them.

/// A number of bytes, which `K`, `M` or `G` may follow.
pub fn bytes(text: &str) -> Option<u64> {
    let text = text.trim();
    let (number, unit) = match text.char_indices().last()? {
        (index, 'K' | 'k') => (&text[..index], 10),
        (index, 'M' | 'm') => (&text[..index], 20),
        (index, 'G' | 'g') => (&text[..index], 30),
        _ => (text, 0),
    };
    number.trim().parse::<u64>().ok()?.checked_mul(1 << unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bytes_or_have_a_unit() {
        assert_eq!(bytes("4096"), Some(4096));
        assert_eq!(bytes("0"), Some(0));
        assert_eq!(bytes(" 3K "), Some(3 << 10));
        assert_eq!(bytes("100 M"), Some(100 << 20));
        assert_eq!(bytes("2g"), Some(2 << 30));
        for bad in ["", "K", "-1", "1T", "1.5G", "99999999999G"] {
            assert_eq!(bytes(bad), None, "{bad}");
        }
    }
}
