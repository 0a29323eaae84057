//! The exceptions that faults of assembled code raise.

use crate::exception::{Details, Exception, Raised};
use device_assembly::execution::{Fault, Side};

/// The exception of a fault.
pub fn of_fault(fault: Fault) -> Raised {
    let misaligned = "addr misaligned";
    let (exception, address, details) = match fault {
        Fault::VectorConflict => (Exception::VECTOR_WRITE_CONFLICT, 0, None),
        Fault::ScalarConflict => (Exception::SCALAR_WRITE_CONFLICT, 0, None),
        Fault::AddressConflict => (Exception::ADDRESS_WRITE_CONFLICT, 0, None),
        Fault::Misaligned(Side::Vector, address) => {
            let details = Some(Details::Am(misaligned));
            (Exception::AM_MISALIGNED, address, details)
        }
        Fault::Misaligned(Side::Scalar, address) => {
            let details = Some(Details::Sm(misaligned));
            (Exception::SM_MISALIGNED, address, details)
        }
        Fault::OutOfRange(Side::Vector, address) => {
            let details = Some(Details::Am("addr overstep"));
            (Exception::VECTOR_UNIT, address, details)
        }
        Fault::OutOfRange(Side::Scalar, address) => (Exception::DDR_OVERSTEP, address, None),
        Fault::NoCode(address) => (Exception::CODE_OVERSTEP, address, None),
        Fault::BranchInDelaySlot | Fault::Invalid => (Exception::INVALID_OPERATION, 0, None),
    };
    Raised {
        exception,
        address,
        details,
    }
}
