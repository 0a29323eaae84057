//! Which platform the ratios of a platform are to: the first one, or its variant.
//!
//! The first platform can be measured several times, as `MOCL3` and, with code for another
//! processor, as `MOCL3-AVX2`. The ratios of `Intel-AVX2` are then to `MOCL3-AVX2`.

/// What follows `first` in the name of a variant of it, or nothing in the name of itself.
fn suffix<'a>(name: &'a str, first: &str) -> Option<&'a str> {
    let suffix = name.strip_prefix(first)?;
    (suffix.is_empty() || suffix.starts_with('-')).then_some(suffix)
}

/// Whether the platform is the first one or a variant of it.
pub fn is_own(names: &[String], platform: usize) -> bool {
    suffix(&names[platform], &names[0]).is_some()
}

/// The index of the platform that the ratios of this one are to.
pub fn reference(names: &[String], platform: usize) -> usize {
    if is_own(names, platform) {
        return 0;
    }
    let variant = |own: &String| {
        suffix(own, &names[0])
            .is_some_and(|suffix| !suffix.is_empty() && names[platform].ends_with(suffix))
    };
    names.iter().position(variant).unwrap_or(0)
}

/// The name of a platform without the suffix that its reference has.
pub fn base(names: &[String], platform: usize) -> &str {
    let name = names[platform].as_str();
    suffix(&names[reference(names, platform)], &names[0])
        .and_then(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_of_a_variant_are_to_the_same_variant_of_the_first() {
        let names = ["MOCL3", "PoCL-AVX2", "MOCL3-AVX2", "PoCL", "Intel-AVX512"].map(str::to_owned);
        let references: Vec<usize> = (0..5).map(|p| reference(&names, p)).collect();
        assert_eq!(references, [0, 2, 0, 0, 0]);
        let own: Vec<bool> = (0..5).map(|p| is_own(&names, p)).collect();
        assert_eq!(own, [true, false, true, false, false]);
        let bases: Vec<&str> = (0..5).map(|p| base(&names, p)).collect();
        assert_eq!(
            bases,
            ["MOCL3", "PoCL", "MOCL3-AVX2", "PoCL", "Intel-AVX512"]
        );
    }
}
