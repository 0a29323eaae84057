//! The DMA channels of a core.

/// Channels of a core.
const CHANNELS: u32 = 20;

/// A free-running set of channels.
#[derive(Debug, Default)]
pub struct Channels {
    /// By bit: whether a transfer has been started and not waited for.
    in_use: u32,
}

impl Channels {
    /// Takes the first idle channel.
    pub fn take_idle(&mut self) -> Option<u32> {
        let channel = self.in_use.trailing_ones();
        self.take(channel).then_some(channel)
    }

    /// Whether there is a channel of that number.
    pub fn exists(channel: u32) -> bool {
        channel < CHANNELS
    }

    /// Takes a channel; false if it is in use or does not exist.
    pub fn take(&mut self, channel: u32) -> bool {
        let is_idle = Self::exists(channel) && self.in_use & (1 << channel) == 0;
        if is_idle {
            self.in_use |= 1 << channel;
        }
        is_idle
    }

    /// A transfer was waited for.
    pub fn release(&mut self, channel: u32) {
        if Self::exists(channel) {
            self.in_use &= !(1 << channel);
        }
    }

    /// No channel is in use any more.
    pub fn clear(&mut self) {
        self.in_use = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_twenty_and_waiting_frees_them() {
        let mut channels = Channels::default();
        for expected in 0..20 {
            assert_eq!(channels.take_idle(), Some(expected));
        }
        assert_eq!(channels.take_idle(), None);
        channels.release(7);
        assert!(channels.take(7) && !channels.take(7) && !channels.take(20));
        channels.clear();
        assert_eq!(channels.take_idle(), Some(0));
    }
}
