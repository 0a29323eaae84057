//! Makes the image that host programs load: `x.out` becomes `x.dat`.

use crate::object;
use anyhow::{Context, Result, bail};
use device_image::{DeviceImage, SymbolKind};
use serde_bytes::ByteBuf;
use std::path::{Path, PathBuf};

/// `makedat [-J] FILE...`.
///
/// # Errors
/// The command line is wrong, or a file is not the linker's.
pub fn run(arguments: &[String]) -> Result<()> {
    let mut files: Vec<&String> = Vec::new();
    for word in arguments {
        match word.as_str() {
            "-J" => {}
            option if option.starts_with('-') => bail!("unrecognized option '{option}'"),
            _ => files.push(word),
        }
    }
    if files.is_empty() {
        bail!("usage: MT-3000-makedat [-J] FILE.out");
    }
    files.into_iter().try_for_each(|file| make(Path::new(file)))
}

fn make(file: &Path) -> Result<()> {
    let program = object::read(file)?;
    let is_kernel = |kind| matches!(kind, SymbolKind::Function { is_kernel: true });
    let symbols = program.symbols.into_iter();
    let kernels = symbols.filter(|symbol| is_kernel(symbol.kind));
    let image = DeviceImage {
        functions: kernels.map(|symbol| symbol.name).collect(),
        modules: program.modules.into_iter().map(ByteBuf::into_vec).collect(),
    };
    let output = image_path(file);
    std::fs::write(&output, device_image::write(&image))
        .with_context(|| output.display().to_string())
}

/// The image of a file: `x.out` gives `x.dat`, other names get `.dat` appended.
fn image_path(file: &Path) -> PathBuf {
    match file.extension() {
        Some(extension) if extension == "out" => file.with_extension("dat"),
        _ => {
            let mut name = file.as_os_str().to_owned();
            name.push(".dat");
            name.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_lies_next_to_the_file() {
        for (file, image) in [
            ("k.out", "k.dat"),
            ("x/k.dev.out", "x/k.dev.dat"),
            ("k", "k.dat"),
        ] {
            assert_eq!(image_path(Path::new(file)), Path::new(image));
        }
    }
}
