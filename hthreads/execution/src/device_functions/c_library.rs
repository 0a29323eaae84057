//! The C library's functions that the device has besides mathematics: those of the host.

macro_rules! table {
    ($($name:ident)*) => {
        mod symbols {
            unsafe extern "C" {
                $(pub fn $name();)*
            }
        }

        /// The functions with their addresses.
        pub fn functions() -> Vec<HostFunction> {
            vec![$((stringify!($name), symbols::$name as *const () as usize),)*]
        }
    };
}

#[allow(clashing_extern_declarations, reason = "only addresses are taken")]
mod listed {
    use kernel_compiler::device_c::HostFunction;

    table! {
        strlen strnlen strcmp strncmp strcpy strncpy strcat strncat strchr strrchr strstr memchr
        malloc calloc realloc free abs labs atoi atol atof strtol strtoul strtod qsort bsearch
        rand srand vsnprintf
    }
}
use super::checked_heap;
use kernel_compiler::device_c::HostFunction;
pub use listed::functions;

/// The same, of which those of the heap keep what checked code may access.
pub fn checked_functions() -> Vec<HostFunction> {
    let checked = [
        ("malloc", checked_heap::malloc as *const () as usize),
        ("calloc", checked_heap::calloc as *const () as usize),
        ("realloc", checked_heap::realloc as *const () as usize),
        ("free", checked_heap::free as *const () as usize),
    ];
    let mut all = functions();
    for (name, address) in &mut all {
        if let Some((_, own)) = checked.iter().find(|(checked, _)| checked == name) {
            *address = *own;
        }
    }
    all
}
