//! A resource with a first-come, first-served queue and a constant service rate.

use crate::units::Cycles;

/// Serves requests in the order of their arrival.
#[derive(Clone, Debug)]
pub struct Server {
    /// Service time of one unit, in fractions of a cycle; a cycle has `fractions` of them.
    service: u64,
    fractions: u64,
    /// When all requests so far have been served, in fractions of a cycle.
    free_at: u128,
}

impl Server {
    /// A server of `units` in `cycles` cycles; neither is 0.
    pub fn new(cycles: u64, units: u64) -> Self {
        let common = greatest_common_divisor(cycles, units);
        Self {
            service: cycles / common,
            fractions: units / common,
            free_at: 0,
        }
    }

    /// Serves a request for `count` units that arrives at `now`; the cycle in which it is done.
    /// Requests are served in the order of calls.
    pub fn serve(&mut self, now: Cycles, count: u64) -> Cycles {
        if count == 0 {
            return now;
        }
        let arrival = u128::from(now.0) * u128::from(self.fractions);
        self.free_at = self.free_at.max(arrival) + u128::from(count) * u128::from(self.service);
        // Divisions of 128 bits take several times as long.
        let done = match u64::try_from(self.free_at) {
            Ok(free_at) => free_at.div_ceil(self.fractions),
            Err(_) => self
                .free_at
                .div_ceil(self.fractions.into())
                .try_into()
                .unwrap_or(u64::MAX),
        };
        Cycles(done)
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
    use super::*;

    /// Serves a request; the cycle in which it is done.
    fn serve(server: &mut Server, now: u64, count: u64) -> u64 {
        server.serve(Cycles(now), count).0
    }

    #[test]
    fn fractions_of_cycles_are_not_lost() {
        // 71 bytes in two cycles.
        let mut server = Server::new(1_200_000_000, 42_600_000_000);
        assert_eq!(serve(&mut server, 0, 1), 1);
        assert_eq!(serve(&mut server, 0, 70), 2);
        for line in 1..=710 {
            let done = serve(&mut server, 2, 64);
            assert_eq!(done, 2 + (line * 64 * 2u64).div_ceil(71));
        }
    }

    #[test]
    fn late_times_are_as_exact() {
        let mut server = Server::new(1_200_000_000, 42_600_000_000);
        let late = u64::MAX / 3;
        assert_eq!(serve(&mut server, late, 71), late + 2);
        assert_eq!(serve(&mut server, late, 1), late + 3);
    }

    #[test]
    fn an_idle_server_serves_at_once() {
        let mut server = Server::new(304, 1);
        assert_eq!(serve(&mut server, 10, 1), 314);
        assert_eq!(serve(&mut server, 20, 2), 922);
        assert_eq!(serve(&mut server, 1000, 1), 1304);
        assert_eq!(serve(&mut server, 1001, 0), 1001);
    }
}
