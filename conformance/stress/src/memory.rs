//! Checks that memory is freed: the process's and the device's.

use crate::world::{self, Platform};
use anyhow::{Result, bail, ensure};
use cl_sys::*;
use harness::call::code;
use harness::object::{Memory, Object};
use std::ptr::null_mut;

/// Resident set size of this process in bytes, after the C library has returned its free memory to
/// the system.
pub fn resident() -> usize {
    // SAFETY: it may be called at any time.
    unsafe { libc::malloc_trim(0) };
    let text = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    // SAFETY: the call takes no pointers.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    pages.unwrap_or(0) * page as usize
}

/// Number of samples at the start that are ignored, because caches fill.
const WARMING_UP: usize = 4;

/// Growth in bytes that is no leak: threads and arenas differ from one sample to another.
const NOISE: usize = 48 << 20;

/// Checks samples at equal intervals for steady growth.
///
/// # Errors
/// The memory grows by more than `NOISE`.
pub fn check_growth(samples: &[usize]) -> Result<()> {
    let samples = samples.get(WARMING_UP..).unwrap_or_default();
    let part = samples.len() / 3;
    if part == 0 {
        return Ok(());
    }
    // The minimum of each third: the memory in use when most objects have been released.
    let least = |samples: &[usize]| samples.iter().copied().min().unwrap_or(0);
    let (first, last) = (
        least(&samples[..part]),
        least(&samples[samples.len() - part..]),
    );
    if last > first + NOISE {
        bail!(
            "the process grew from {} to {} MiB: {:?}",
            first >> 20,
            last >> 20,
            samples.iter().map(|bytes| bytes >> 20).collect::<Vec<_>>()
        );
    }
    Ok(())
}

/// Allocates nearly all of the first device's global memory, in buffers of the largest size, and
/// returns the number of bytes.
///
/// # Errors
/// An allocation fails, because earlier buffers were not freed.
pub fn take_nearly_all(platform: &Platform) -> Result<u64> {
    let device = platform.first();
    let (all, largest) = (device.global_mem_size()?, device.max_mem_alloc_size()?);
    let context = world::context(&platform.devices[..1])?;
    let wanted = all - all / 64;
    let mut taken = 0;
    let mut buffers = Vec::new();
    while taken < wanted {
        let size = largest.min(wanted - taken);
        let mut code = 0;
        let buffer = code!(clCreateBuffer(
            context.get(),
            CL_MEM_READ_WRITE,
            size as usize,
            null_mut(),
            &raw mut code,
        ));
        ensure!(
            code == CL_SUCCESS,
            "of {all} bytes of global memory only {taken} are to be had ({code})"
        );
        buffers.push(Object::<Memory>::new(buffer));
        taken += size;
    }
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::check_growth;

    #[test]
    fn growth_is_distinguished_from_noise() {
        let mebibytes = |samples: &[usize]| -> Vec<usize> {
            samples.iter().map(|sample| sample << 20).collect()
        };
        let noise = mebibytes(&[10, 50, 90, 100, 110, 100, 130, 105, 120, 110, 100]);
        check_growth(&noise).unwrap();
        let leak: Vec<usize> = (0..20).map(|round| 10 * round).collect();
        assert!(check_growth(&mebibytes(&leak)).is_err());
        check_growth(&mebibytes(&leak[..4])).unwrap();
    }
}
