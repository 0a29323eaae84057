//! The container of program binaries: a mark, the kind of content, the version that wrote it, a
//! hash, and the content.

use compiler_id::COMPILER_ID;
use once_cell::sync::Lazy;

/// What a binary begins with.
pub const MAGIC: &[u8; 8] = b"MOCL3BIN";

/// The version that can read a binary: this compiler with its builtin library, on this version of
/// LLVM. Programs that keep binaries see it in `CL_DEVICE_VERSION`.
pub static MAKER: Lazy<String> = Lazy::new(|| {
    format!(
        "{} build {COMPILER_ID} LLVM {}",
        env!("CARGO_PKG_VERSION"),
        compiler_resources::LLVM_VERSION
    )
});

/// The kind of content of a binary.
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

/// Wraps a program's content.
pub fn write(content: Content, payload: &[u8]) -> Vec<u8> {
    write_as(&MAKER, content, payload)
}

fn write_as(maker: &str, content: Content, payload: &[u8]) -> Vec<u8> {
    let mut binary = Vec::with_capacity(payload.len() + 128);
    binary.extend_from_slice(MAGIC);
    binary.push(content as u8);
    binary.push(maker.len() as u8);
    binary.extend_from_slice(maker.as_bytes());
    let sum = hash(&binary, payload);
    binary.extend_from_slice(sum.as_bytes());
    binary.extend_from_slice(payload);
    binary
}

fn hash(head: &[u8], payload: &[u8]) -> blake3::Hash {
    blake3::Hasher::new()
        .update(head)
        .update(payload)
        .finalize()
}

/// Unwraps a binary.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn read(binary: &[u8]) -> Result<(Content, &[u8]), String> {
    read_if(binary, |maker| maker == MAKER.as_bytes())
}

/// Unwraps a binary that another program of the same version may have written: library and tools are
/// builds of their own.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn read_of_any_build(binary: &[u8]) -> Result<(Content, &[u8]), String> {
    let without_build = |maker: &str| {
        let words: Vec<_> = maker.split(' ').map(str::to_owned).collect();
        let build = words.iter().position(|word| word == "build");
        let is_build = |index| build.is_some_and(|build| index == build + 1);
        let others = words.into_iter().enumerate();
        let others = others.filter(|(index, _)| !is_build(*index));
        others.map(|(_, word)| word).collect::<Vec<_>>()
    };
    read_if(binary, |maker| {
        str::from_utf8(maker).is_ok_and(|maker| without_build(maker) == without_build(&MAKER))
    })
}

fn read_if(
    binary: &[u8],
    is_accepted: impl FnOnce(&[u8]) -> bool,
) -> Result<(Content, &[u8]), String> {
    let rest = binary
        .strip_prefix(MAGIC)
        .ok_or("this is no program binary of MOCL3")?;
    let truncated = "the program binary is truncated";
    let damaged = "the program binary is damaged";
    let (&[content, length], rest) = rest.split_first_chunk::<2>().ok_or(truncated)?;
    let (maker, rest) = rest
        .split_at_checked(usize::from(length))
        .ok_or(truncated)?;
    if !is_accepted(maker) {
        return Err(format!(
            "the program binary was made by version `{}`, this is `{}`",
            String::from_utf8_lossy(maker),
            *MAKER
        ));
    }
    let content = match content {
        1 => Content::CompiledObject,
        2 => Content::Library,
        4 => Content::Executable,
        _ => return Err(damaged.into()),
    };
    let (sum, payload) = rest
        .split_first_chunk::<{ blake3::OUT_LEN }>()
        .ok_or(truncated)?;
    let head = &binary[..binary.len() - rest.len()];
    if hash(head, payload) != *sum {
        return Err(damaged.into());
    }
    Ok((content, payload))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_wrote() {
        let binary = write(Content::Library, b"bitcode");
        assert!(!MAKER.contains("build  "), "{}", *MAKER);
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

    #[test]
    fn binaries_of_other_builds_are_refused_and_the_build_is_named() {
        let other = MAKER.replace("build ", "build 0");
        let refusal = read(&write_as(&other, Content::Executable, b"bitcode")).unwrap_err();
        assert!(refusal.contains(&other), "{refusal}");
    }

    #[test]
    fn tools_read_binaries_of_other_builds_but_not_of_other_versions() {
        let read = |maker: &str| {
            let binary = write_as(maker, Content::Executable, b"bitcode");
            read_of_any_build(&binary).map(|(content, _)| content)
        };
        assert_eq!(
            read(&MAKER.replace("build ", "build 0")),
            Ok(Content::Executable)
        );
        let other = MAKER.replace("LLVM ", "LLVM 1");
        assert!(read(&other).unwrap_err().contains(&other));
    }
}
