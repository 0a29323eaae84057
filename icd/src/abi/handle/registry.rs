//! The registry of handles: from addresses to objects.

use parking_lot::{RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::{Arc, Weak};

/// An object of any kind.
pub type Shared = Arc<dyn Any + Send + Sync>;

/// The registry's entry of a handle.
pub struct Entry {
    pub kind: TypeId,
    /// What the specification calls the kind.
    pub kind_name: &'static str,
    pub object: Weak<dyn Any + Send + Sync>,
    /// The object, while `references` is not 0.
    pub held: Option<Shared>,
    /// The host program's count.
    pub references: u32,
}

/// Addresses differ in their middle bits; this spreads them over all.
#[derive(Default)]
pub struct AddressHasher(u64);

impl Hasher for AddressHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_usize(usize::from(*byte));
        }
    }
    fn write_usize(&mut self, address: usize) {
        self.0 = spread(self.0 ^ address as u64);
    }
}

/// Fibonacci hashing, with the good upper half brought down as well.
fn spread(address: u64) -> u64 {
    let product = address.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// Entries by the handles' addresses.
pub type Shard = HashMap<usize, Entry, BuildHasherDefault<AddressHasher>>;

const SHARDS: usize = 64;

/// All entries, divided so that threads seldom wait for a lock.
pub static REGISTRY: [RwLock<Shard>; SHARDS] =
    [const { RwLock::new(Shard::with_hasher(BuildHasherDefault::new())) }; SHARDS];

fn shard(address: usize) -> &'static RwLock<Shard> {
    // Other bits than the map inside uses.
    &REGISTRY[(spread(address as u64) >> 24) as usize % SHARDS]
}

/// Locks the part of the registry with `address`.
pub fn read(address: usize) -> RwLockReadGuard<'static, Shard> {
    shard(address).read()
}

/// As `read`, for a change.
pub fn write(address: usize) -> RwLockWriteGuard<'static, Shard> {
    shard(address).write()
}
