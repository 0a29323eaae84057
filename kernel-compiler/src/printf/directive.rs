//! Conversion specifications of a format string (6.12.13.2).

/// The conversion of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conversion {
    /// `d`, `i`
    Signed,
    /// `o`, `u`, `x`, `X`: the letter
    Unsigned(u8),
    /// `a`, `e`, `f`, `g` and capitals: the letter
    Floating(u8),
    /// `c`
    Character,
    /// `s`
    Text,
    /// `p`
    Pointer,
}

/// Length modifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Length {
    /// None: `int` or `double`.
    None,
    /// `hh`: `char`
    Char,
    /// `h`: `short` or `half`
    Short,
    /// `hl`: 4-byte elements of a vector
    Word,
    /// `l`: `long` or `double`
    Long,
}

impl Length {
    /// Bits of an integer of that length.
    pub fn bits(self) -> u32 {
        match self {
            Self::Char => 8,
            Self::Short => 16,
            Self::None | Self::Word => 32,
            Self::Long => 64,
        }
    }

    /// Bytes of an integer of that length.
    pub fn bytes(self) -> u8 {
        self.bits() as u8 / 8
    }
}

/// A conversion specification.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Flags, width and precision as written.
    pub shape: Vec<u8>,
    /// Elements of the vector, if the directive has `v`.
    pub vector: Option<u8>,
    /// Length modifier.
    pub length: Length,
    /// What to convert to.
    pub conversion: Conversion,
}

impl Directive {
    /// The precision, if it is given.
    pub fn precision(&self) -> Option<u64> {
        let text = std::str::from_utf8(&self.shape).ok()?;
        let (_, digits) = text.split_once('.')?;
        match digits {
            "" => Some(0),
            digits => digits.parse().ok(),
        }
    }

    /// Bits of the integer that is printed of an element of `element` bits. In a vector without a length
    /// the elements are as long as they are.
    pub fn integer_bits(&self, element: u32) -> u32 {
        match (self.length, self.vector) {
            (Length::None, Some(_)) => element,
            (length, _) => length.bits(),
        }
    }
}

/// The directives of a format, one for each argument, up to what is not valid.
pub fn directives(mut format: &[u8]) -> Vec<Directive> {
    let mut directives = Vec::new();
    while !format.is_empty() {
        let (part, rest) = next_part(format);
        match part {
            Part::Directive(directive) => directives.push(directive),
            Part::Verbatim(_) | Part::Invalid(_) => {}
        }
        format = rest;
    }
    directives
}

/// A part of a format string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// To be printed as it is.
    Verbatim(&'a [u8]),
    /// Takes an argument.
    Directive(Directive),
    /// From here on the format is not valid.
    Invalid(&'a [u8]),
}

/// Widths and precisions beyond this are not valid: no screen or file wants them.
const WIDEST: usize = 1 << 16;

/// Takes the first part off a format that is not empty.
pub fn next_part(format: &[u8]) -> (Part<'_>, &[u8]) {
    let plain = format.iter().take_while(|&&byte| byte != b'%').count();
    if plain > 0 {
        let (text, rest) = format.split_at(plain);
        return (Part::Verbatim(text), rest);
    }
    if format.starts_with(b"%%") {
        return (Part::Verbatim(b"%"), &format[2..]);
    }
    let mut cursor = Cursor { rest: &format[1..] };
    match cursor.directive() {
        Some(directive) => (Part::Directive(directive), cursor.rest),
        None => (Part::Invalid(format), &[]),
    }
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    fn take(&mut self, text: &[u8]) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn digits(&mut self) -> Option<usize> {
        let length = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        let text = std::str::from_utf8(digits).ok()?;
        if text.is_empty() {
            return Some(0);
        }
        text.parse().ok().filter(|&number| number <= WIDEST)
    }

    fn directive(&mut self) -> Option<Directive> {
        let before = self.rest;
        while [b'-', b'+', b' ', b'#', b'0']
            .iter()
            .any(|&f| self.take(&[f]))
        {}
        self.digits()?;
        if self.take(b".") {
            self.digits()?;
        }
        let shape = before[..before.len() - self.rest.len()].to_vec();
        let vector = if self.take(b"v") {
            // Two digits first: 1 begins 16.
            let count = [16, 2, 3, 4, 8]
                .into_iter()
                .find(|count: &u8| self.take(count.to_string().as_bytes()))?;
            Some(count)
        } else {
            None
        };
        let lengths: [(&[u8], Length); 4] = [
            (b"hh", Length::Char),
            (b"hl", Length::Word),
            (b"h", Length::Short),
            (b"l", Length::Long),
        ];
        let length = lengths
            .into_iter()
            .find(|(text, _)| self.take(text))
            .map_or(Length::None, |(_, length)| length);
        let (&letter, rest) = self.rest.split_first()?;
        self.rest = rest;
        let conversion = match letter {
            b'd' | b'i' => Conversion::Signed,
            b'o' | b'u' | b'x' | b'X' => Conversion::Unsigned(letter),
            b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' => Conversion::Floating(letter),
            // Vectors and lengths are not for these.
            _ if vector.is_some() || length != Length::None => return None,
            b'c' => Conversion::Character,
            b's' => Conversion::Text,
            b'p' => Conversion::Pointer,
            _ => return None,
        };
        // 4-byte elements are a vector's only.
        if length == Length::Word && vector.is_none() {
            return None;
        }
        Some(Directive {
            shape,
            vector,
            length,
            conversion,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_a_format_apart() {
        let (first, rest) = next_part(b"a%-+8.3v4hlf%%");
        assert_eq!(first, Part::Verbatim(b"a"));
        let (second, rest) = next_part(rest);
        assert_eq!(
            second,
            Part::Directive(Directive {
                shape: b"-+8.3".to_vec(),
                vector: Some(4),
                length: Length::Word,
                conversion: Conversion::Floating(b'f'),
            })
        );
        assert_eq!(next_part(rest), (Part::Verbatim(b"%"), &b""[..]));
    }

    #[test]
    fn each_argument_has_a_directive() {
        let found = directives(b"%d %% %.3s%v2hlf %.x %5s %lld %d");
        let conversions: Vec<_> = found.iter().map(|found| found.conversion).collect();
        let expected = [
            Conversion::Signed,
            Conversion::Text,
            Conversion::Floating(b'f'),
            Conversion::Unsigned(b'x'),
            Conversion::Text,
        ];
        assert_eq!(conversions, expected);
        let precisions: Vec<_> = found.iter().map(Directive::precision).collect();
        assert_eq!(precisions, [None, Some(3), None, Some(0), None]);
    }

    #[test]
    fn what_the_specification_does_not_have_is_invalid() {
        for format in [
            "%",
            "%5",
            "%n",
            "%lld",
            "%ls",
            "%lc",
            "%hld",
            "%v5d",
            "%v4s",
            "%v2c",
            "%k",
            "%99999999999d",
            "%.99999999999999999999d",
            "%*d",
            "%'d",
        ] {
            let (part, rest) = next_part(format.as_bytes());
            assert_eq!(part, Part::Invalid(format.as_bytes()), "{format}");
            assert!(rest.is_empty());
        }
    }
}
