//! Local sizes that the user gives launches in the place of the program's (`MOCL3_LOCAL_SIZE`).

use environment::LOCAL_SIZE;
use once_cell::sync::Lazy;

/// A kernel's name, or `*` for all, and its local size.
type Override = (String, Vec<usize>);

/// All kernels.
const ALL: &str = "*";

static OVERRIDES: Lazy<Vec<Override>> = Lazy::new(|| {
    let Some(value) = LOCAL_SIZE.get() else {
        return Vec::new();
    };
    let value = value.to_string_lossy();
    parse(&value).unwrap_or_else(|| {
        log::warn!(
            "{LOCAL_SIZE}={value} is no list of kernels and sizes such as dgemm=16x8,*=64; launches \
             have the program's local sizes"
        );
        Vec::new()
    })
});

/// The local size for launches of a kernel, if the user gives one; one that names the kernel counts
/// more than one for all.
pub(super) fn of(kernel: &str) -> Option<&'static [usize]> {
    find(&OVERRIDES, kernel)
}

fn find<'o>(overrides: &'o [Override], kernel: &str) -> Option<&'o [usize]> {
    let named = |wanted: &str| overrides.iter().rev().find(|(name, _)| name == wanted);
    let found = named(kernel).or_else(|| named(ALL));
    found.map(|(_, size)| &size[..])
}

/// The sizes of a list; none if it has another form.
fn parse(list: &str) -> Option<Vec<Override>> {
    let one = |part: &str| {
        let (kernel, size) = part.split_once('=').unwrap_or((ALL, part));
        let size = size.split('x').map(|number| number.trim().parse().ok());
        let size: Vec<usize> = size.collect::<Option<_>>()?;
        let is_size = (1..=3).contains(&size.len()) && !size.contains(&0);
        (is_size && !kernel.trim().is_empty()).then(|| (kernel.trim().to_owned(), size))
    };
    list.split(',').map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_that_of_its_kernel_or_of_all() {
        let overrides = parse("dgemm=16x8, *=64").unwrap();
        assert_eq!(find(&overrides, "dgemm"), Some(&[16, 8][..]));
        assert_eq!(find(&overrides, "add"), Some(&[64][..]));
        let overrides = parse("a=1,a=2x2x2").unwrap();
        assert_eq!(find(&overrides, "a"), Some(&[2, 2, 2][..]));
        assert_eq!(find(&overrides, "b"), None);
        assert_eq!(parse("32").unwrap(), [("*".to_owned(), vec![32])]);
        for wrong in ["", "a=", "=4", "a=0", "a=1x1x1x1", "a=x", "a=4,", "a=-1"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
