//! The device's headers and libraries, which the compiler has in itself.

macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../", $folder, "/", $name))),)*]
    };
}

/// Headers, by the names by which they are included.
pub const HEADERS: &[(&str, &str)] = files! { "device/include":
    "assert.h" "compiler/m3000.h" "compiler/m3000_conditional.h" "compiler/m3000_instructions.h"
    "compiler/vsip.h" "float.h" "hthread_device.h" "limits.h" "m3000_types.h"
    "math.h" "stdarg.h" "stdbool.h" "stddef.h" "stdint.h" "stdio.h" "stdlib.h" "string.h" "sys/time.h"
    "vector_math.h"
};

/// Headers of host programs, and the modules of those in Fortran.
pub const HOST_HEADERS: &[(&str, &str)] = files! { "host/include":
    "hthread_host.f90" "hthread_host.h" "hthread_host_fortran.h" "hthread_host_macro.h" "libmt.f90" "libmt.h"
};

/// Sources of libraries.
pub const SOURCES: &[(&str, &str)] =
    files! { "device/library": "print.c" "stdio.c" "vector_math.c" "vsip.c" };
