//! x
pub fn build(_clang: &std::path::Path, _link: &std::path::Path, _out: &std::path::Path) {}
