//! The container of program binaries: what it is, who made it, and a check sum
//! before the bitcode.

const MAGIC: &[u8; 8] = b"MOCL3BIN";

/// Who can read a binary: this version of the project on this version of LLVM.
const MAKER: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    " LLVM ",
    env!("MOCL3_LLVM_VERSION")
);

/// What a binary holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Content {
    /// Output of `clCompileProgram`.
    CompiledObject = 1,
    /// Output of `clLinkProgram` with `-create-library`.
    Library = 2,
    /// Output of `clBuildProgram` or `clLinkProgram`.
    Executable = 4,
}

/// Wraps bitcode.
pub fn write(content: Content, bitcode: &[u8]) -> Vec<u8> {
    let mut binary = Vec::with_capacity(bitcode.len() + 64);
    binary.extend_from_slice(MAGIC);
    binary.push(content as u8);
    binary.push(MAKER.len() as u8);
    binary.extend_from_slice(MAKER.as_bytes());
    binary.extend_from_slice(&crc32fast::hash(bitcode).to_le_bytes());
    binary.extend_from_slice(bitcode);
    binary
}

/// Unwraps a binary.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn read(binary: &[u8]) -> Result<(Content, &[u8]), String> {
    let rest = binary
        .strip_prefix(MAGIC)
        .ok_or("this is no program binary of MOCL3")?;
    let truncated = "the program binary is truncated";
    let (&[content, length], rest) = rest.split_first_chunk::<2>().ok_or(truncated)?;
    let (maker, rest) = rest
        .split_at_checked(usize::from(length))
        .ok_or(truncated)?;
    if maker != MAKER.as_bytes() {
        return Err(format!(
            "the program binary was made by version `{}`, this is `{MAKER}`",
            String::from_utf8_lossy(maker)
        ));
    }
    let content = match content {
        1 => Content::CompiledObject,
        2 => Content::Library,
        4 => Content::Executable,
        _ => return Err("the program binary is damaged".into()),
    };
    let (sum, bitcode) = rest.split_first_chunk::<4>().ok_or(truncated)?;
    if crc32fast::hash(bitcode) != u32::from_le_bytes(*sum) {
        return Err("the program binary is damaged".into());
    }
    Ok((content, bitcode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let binary = write(Content::Library, b"bitcode");
        assert_eq!(read(&binary), Ok((Content::Library, &b"bitcode"[..])));
    }

    #[test]
    fn refuses_every_truncation_and_every_changed_byte() {
        let binary = write(Content::Executable, b"bitcode");
        for length in 0..binary.len() {
            assert!(read(&binary[..length]).is_err(), "{length} bytes");
        }
        for index in 0..binary.len() {
            let mut damaged = binary.clone();
            damaged[index] ^= 0x40;
            assert!(read(&damaged).is_err(), "byte {index}");
        }
    }
}
