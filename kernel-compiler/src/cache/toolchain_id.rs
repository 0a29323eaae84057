//! Who makes what is kept: the compiler with its builtin library, LLVM and clang as they are
//! loaded, and the CPU that code is made for.

use crate::shim;
use crate::target::{HOST_CPU, TRIPLE};
use compiler_id::COMPILER_ID;
use findshlibs::{Avma, Segment, SharedLibrary, SharedLibraryId, TargetSharedLibrary};
use std::ffi::c_void;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// A library that is loaded, as it was built.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Build {
    path: String,
    id: Vec<u8>,
}

impl Build {
    /// The library with an address in it.
    fn with(address: *const c_void) -> Option<Self> {
        let mut build = None;
        TargetSharedLibrary::each(|library| {
            let address = Avma(address as usize);
            let here = |segment: &<TargetSharedLibrary<'_> as SharedLibrary>::Segment| {
                segment.contains_avma(library, address)
            };
            if build.is_none() && library.segments().any(|segment| here(&segment)) {
                let path = library.name().to_string_lossy().into_owned();
                let id = match library.id() {
                    Some(SharedLibraryId::GnuBuildId(id)) if !id.is_empty() => Some(id),
                    _ => of_file(Path::new(&path)),
                };
                build = id.map(|id| Self { path, id });
            }
        });
        build
    }
}

/// A substitute for the build id of a library that was linked without one.
fn of_file(path: &Path) -> Option<Vec<u8>> {
    let metadata = path.metadata().ok()?;
    let parts = [
        metadata.ino(),
        metadata.size(),
        metadata.mtime() as u64,
        metadata.mtime_nsec() as u64,
    ];
    Some(parts.iter().flat_map(|part| part.to_le_bytes()).collect())
}

/// A hash of everything that results depend on apart from the input: the compiler's sources, the
/// builds of LLVM and clang, and the host's CPU. `None` if a build cannot be identified.
pub fn toolchain_hash() -> Option<[u8; 32]> {
    let llvm = Build::with(llvm_sys::core::LLVMContextCreate as *const c_void)?;
    let clang = Build::with(shim::address_in_clang())?;
    let mut hasher = blake3::Hasher::new();
    for part in [
        COMPILER_ID.as_bytes(),
        &[fault_injection::can_be_present().into()],
        &llvm.id,
        &clang.id,
        TRIPLE.as_bytes(),
        HOST_CPU.name.as_bytes(),
        HOST_CPU.features.as_bytes(),
    ] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    Some(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_are_found_by_what_is_in_them() {
        let llvm = Build::with(llvm_sys::core::LLVMContextCreate as *const c_void).unwrap();
        assert!(llvm.path.contains("libLLVM"), "{llvm:?}");
        let clang = Build::with(shim::address_in_clang()).unwrap();
        assert!(clang.path.contains("libclang-cpp"), "{clang:?}");
        assert_ne!(llvm.id, clang.id);
        assert_eq!(Build::with(std::ptr::null()), None);
    }

    #[test]
    fn a_file_without_a_build_id_is_known_by_itself() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("library.so");
        std::fs::write(&path, "one").unwrap();
        let before = of_file(&path).unwrap();
        assert_eq!(of_file(&path).unwrap(), before);
        std::fs::write(&path, "longer").unwrap();
        assert_ne!(of_file(&path).unwrap(), before);
    }
}
