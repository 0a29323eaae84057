//! Fused products and sums of 16 lanes, by the host's instructions where it has them: without them the
//! C library computes lane by lane.

use super::{all32, of_parts32, parts32};
use crate::execution::Vector;
use std::sync::LazyLock;

/// `a * b + c`.
pub fn fmulad(a: u64, b: u64, c: u64) -> u64 {
    let [a, b, c] = [a, b, c].map(f64::from_bits);
    a.mul_add(b, c).to_bits()
}

/// `a * b - c`.
pub fn fmulbd(a: u64, b: u64, c: u64) -> u64 {
    let [a, b, c] = [a, b, c].map(f64::from_bits);
    a.mul_add(b, -c).to_bits()
}

/// `a * b + c` of 32-bit parts.
pub fn fmulas32(a: u64, b: u64, c: u64) -> u64 {
    all32(a, b, c, |a, b, c| {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        a.mul_add(b, c).to_bits()
    })
}

/// `a * b - c` of 32-bit parts.
pub fn fmulbs32(a: u64, b: u64, c: u64) -> u64 {
    all32(a, b, c, |a, b, c| {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        a.mul_add(b, -c).to_bits()
    })
}

#[cfg(target_arch = "x86_64")]
static HAS_FMA: LazyLock<bool> = LazyLock::new(|| {
    std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma")
});

macro_rules! vectors {
    ($($name:ident $host:ident $lane:expr;)*) => {$(
        /// The operation of that name on all lanes.
        pub fn $name(a: &Vector, b: &Vector, c: &Vector, result: &mut Vector) {
            #[cfg(target_arch = "x86_64")]
            if *HAS_FMA {
                // SAFETY: the host has the instructions.
                unsafe { $host(a, b, c, result) };
                return;
            }
            for lane in 0..16 {
                result.0[lane] = $lane(a.0[lane], b.0[lane], c.0[lane]);
            }
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn $host(a: &Vector, b: &Vector, c: &Vector, result: &mut Vector) {
            for lane in 0..16 {
                result.0[lane] = lanes::$name(a.0[lane], b.0[lane], c.0[lane]);
            }
        }
    )*};
}

vectors! {
    vfmulad vfmulad_host fmulad;
    vfmulbd vfmulbd_host fmulbd;
    vfmulas32 vfmulas32_host fmulas32;
    vfmulbs32 vfmulbs32_host fmulbs32;
}

/// Bodies that are compiled for the features of their callers.
mod lanes {
    use super::{of_parts32, parts32};

    #[inline(always)]
    pub fn vfmulad(a: u64, b: u64, c: u64) -> u64 {
        f64::from_bits(a)
            .mul_add(f64::from_bits(b), f64::from_bits(c))
            .to_bits()
    }

    #[inline(always)]
    pub fn vfmulbd(a: u64, b: u64, c: u64) -> u64 {
        f64::from_bits(a)
            .mul_add(f64::from_bits(b), -f64::from_bits(c))
            .to_bits()
    }

    #[inline(always)]
    fn part(a: u32, b: u32, c: f32) -> u32 {
        f32::from_bits(a).mul_add(f32::from_bits(b), c).to_bits()
    }

    #[inline(always)]
    pub fn vfmulas32(a: u64, b: u64, c: u64) -> u64 {
        let ([al, ah], [bl, bh], [cl, ch]) = (parts32(a), parts32(b), parts32(c));
        of_parts32([
            part(al, bl, f32::from_bits(cl)),
            part(ah, bh, f32::from_bits(ch)),
        ])
    }

    #[inline(always)]
    pub fn vfmulbs32(a: u64, b: u64, c: u64) -> u64 {
        let ([al, ah], [bl, bh], [cl, ch]) = (parts32(a), parts32(b), parts32(c));
        of_parts32([
            part(al, bl, -f32::from_bits(cl)),
            part(ah, bh, -f32::from_bits(ch)),
        ])
    }
}
