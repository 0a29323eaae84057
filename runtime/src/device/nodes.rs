//! How many nodes of a machine the process simulates. Each has clusters, memories and simulated
//! time of its own, and is a platform; host threads and compiled code are shared.

use environment::NODES;
use once_cell::sync::Lazy;

/// Most nodes.
const MAX_NODES: usize = 65_536;

/// The number of nodes: that in `MOCL3_NODES`, else 1.
pub fn count() -> usize {
    static COUNT: Lazy<usize> = Lazy::new(|| {
        let Some(value) = NODES.get() else {
            return 1;
        };
        parse(&value.to_string_lossy()).unwrap_or_else(|| {
            let value = value.display();
            log::warn!("{NODES}={value} is not a number from 1 to {MAX_NODES}; there is one node");
            1
        })
    });
    *COUNT
}

fn parse(value: &str) -> Option<usize> {
    let count = value.trim().parse().ok()?;
    (1..=MAX_NODES).contains(&count).then_some(count)
}

#[cfg(test)]
mod tests {
    #[test]
    fn numbers_of_nodes_are_positive_and_bounded() {
        for (value, expected) in [
            (" 4 ", Some(4)),
            ("65536", Some(65_536)),
            ("65537", None),
            ("0", None),
            ("-1", None),
            ("four", None),
        ] {
            assert_eq!(super::parse(value), expected, "{value:?}");
        }
    }
}
