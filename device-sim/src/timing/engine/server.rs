//! What serves one request after another, each at the same rate.

/// Serves requests in the order in which they come.
#[derive(Clone, Debug)]
pub struct Server {
    /// Parts of a cycle that serving one takes; a cycle has `cycle` parts.
    each: u64,
    cycle: u64,
    /// When it has served all so far, in parts of cycles.
    free: u128,
}

impl Server {
    /// One that serves `of` in `cycles` cycles; neither is 0.
    pub fn new(cycles: u64, of: u64) -> Self {
        let common = greatest_common_divisor(cycles, of);
        Self {
            each: cycles / common,
            cycle: of / common,
            free: 0,
        }
    }

    /// Serves so many, asked for at a time; the cycle in which it is done. Requests come in the
    /// order of time.
    pub fn serve(&mut self, now: u64, count: u64) -> u64 {
        if count == 0 {
            return now;
        }
        let asked = u128::from(now) * u128::from(self.cycle);
        self.free = self.free.max(asked) + u128::from(count) * u128::from(self.each);
        // Divisions of 128 bits take several times as long.
        match u64::try_from(self.free) {
            Ok(free) => free.div_ceil(self.cycle),
            Err(_) => self
                .free
                .div_ceil(self.cycle.into())
                .try_into()
                .unwrap_or(u64::MAX),
        }
    }
}

fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::Server;

    #[test]
    fn parts_of_cycles_are_not_lost() {
        // 71 bytes in two cycles.
        let mut server = Server::new(1_200_000_000, 42_600_000_000);
        assert_eq!(server.serve(0, 1), 1);
        assert_eq!(server.serve(0, 70), 2);
        for line in 1..=710 {
            let done = server.serve(2, 64);
            assert_eq!(done, 2 + (line * 64 * 2u64).div_ceil(71));
        }
    }

    #[test]
    fn late_times_are_as_exact() {
        let mut server = Server::new(1_200_000_000, 42_600_000_000);
        let late = u64::MAX / 3;
        assert_eq!(server.serve(late, 71), late + 2);
        assert_eq!(server.serve(late, 1), late + 3);
    }

    #[test]
    fn who_comes_when_nothing_is_to_do_is_served_at_once() {
        let mut server = Server::new(304, 1);
        assert_eq!(server.serve(10, 1), 314);
        assert_eq!(server.serve(20, 2), 922);
        assert_eq!(server.serve(1000, 1), 1304);
        assert_eq!(server.serve(1001, 0), 1001);
    }
}
