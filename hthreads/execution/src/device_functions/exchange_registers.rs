//! SVR0 to SVR15, by which lanes and scalars are exchanged: each thread has its own.

use crate::device_thread::current;

/// The registers: what 16 lanes of 64 bits are copied to.
pub type ExchangeRegisters = [u64; 16];

/// # Safety
/// `vector` is one of the calling code.
pub unsafe extern "C" fn __ht_to_svr(vector: *const ExchangeRegisters) {
    // SAFETY: as the caller promises; vectors are aligned as lanes are.
    current().exchange.set(unsafe { *vector });
}

/// # Safety
/// `vector` is one of the calling code.
pub unsafe extern "C" fn __ht_from_svr(vector: *mut ExchangeRegisters) {
    // SAFETY: as the caller promises.
    unsafe { vector.write(current().exchange.get()) };
}

/// Headers pass numbers from 0 to 15; others change nothing.
pub extern "C" fn __ht_set_svr(number: i32, value: u64) {
    let mut registers = current().exchange.get();
    if let Some(register) = registers.get_mut(number as usize) {
        *register = value;
    }
    current().exchange.set(registers);
}

/// Of other numbers than 0 to 15, 0.
pub extern "C" fn __ht_get_svr(number: i32) -> u64 {
    let registers = current().exchange.get();
    registers.get(number as usize).copied().unwrap_or_default()
}
