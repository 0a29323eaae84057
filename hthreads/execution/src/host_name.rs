//! The name of the host.

/// The host's name, as messages begin with.
pub fn host_name() -> String {
    let mut name = [0u8; 256];
    // SAFETY: the buffer is that long; the last byte stays zero.
    unsafe { libc::gethostname(name.as_mut_ptr().cast(), name.len() - 1) };
    let end = name.iter().position(|byte| *byte == 0).unwrap_or(0);
    String::from_utf8_lossy(&name[..end]).into_owned()
}
