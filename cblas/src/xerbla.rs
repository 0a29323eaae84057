//! `cblas_xerbla`, which reports wrong arguments. A program may have its own one, which is then called.

use std::ffi::{CStr, CString, c_char, c_int};

/// An argument that a routine does not accept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongArgument {
    /// Its number, from 1.
    pub number: c_int,
    /// What it is and its value, if it is none of its enumeration.
    pub setting: Option<(&'static str, c_int)>,
}

/// As C declares it.
type Xerbla = unsafe extern "C" fn(c_int, *const c_char, *const c_char, ...);

/// Calls the program's `cblas_xerbla`, or that of this library. That of a program may return.
pub fn report(routine: &str, wrong: WrongArgument) {
    let (form, value) = match wrong.setting {
        Some((what, value)) => (format!("Illegal {what} setting, %d\n"), value),
        None => (String::new(), 0),
    };
    let (Ok(routine), Ok(form)) = (CString::new(routine), CString::new(form)) else {
        return;
    };
    // SAFETY: the name ends with NUL. The first definition in the process is that of the program.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"cblas_xerbla".as_ptr()) };
    if found.is_null() {
        // SAFETY: the strings end with NUL.
        unsafe { cblas_xerbla(wrong.number, routine.as_ptr(), form.as_ptr(), value) };
        return;
    }
    // SAFETY: CBLAS declares a function of this name so; the strings end with NUL.
    unsafe {
        let xerbla = std::mem::transmute::<*mut libc::c_void, Xerbla>(found);
        xerbla(wrong.number, routine.as_ptr(), form.as_ptr(), value);
    }
}

/// Prints a message and ends the program. C declares it with `...` in place of `value`, the number that
/// a `%d` of `form` prints: on x86-64 both are passed alike, and messages of CBLAS have at most one.
///
/// # Safety
/// The strings are null, or end with NUL.
#[unsafe(no_mangle)]
unsafe extern "C" fn cblas_xerbla(
    number: c_int,
    routine: *const c_char,
    form: *const c_char,
    value: c_int,
) {
    let text = |text: *const c_char| match text.is_null() {
        true => String::new(),
        // SAFETY: as the caller promises.
        false => unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    };
    let routine = text(routine);
    if number != 0 {
        eprintln!("Parameter {number} to routine {routine} was incorrect");
    }
    eprint!("{}", text(form).replacen("%d", &value.to_string(), 1));
    std::process::exit(-1);
}
