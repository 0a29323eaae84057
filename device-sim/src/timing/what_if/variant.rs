//! The forms of a change.

use crate::timing::launch_record::LaunchRecord;
use crate::units::Bytes;
use serde::{Deserialize, Serialize};

/// What a group copies to local memory of an argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalCopy {
    /// The argument's name.
    pub argument: String,
    /// What the group's loads read, in all.
    pub loaded: Bytes,
    /// Different bytes of these.
    pub different: Bytes,
}

/// A form of a change.
pub(super) struct Variant {
    /// The steps of the launch with it.
    pub record: LaunchRecord,
    /// As in `Alternative`.
    pub copies: Vec<LocalCopy>,
}

impl From<LaunchRecord> for Variant {
    fn from(record: LaunchRecord) -> Self {
        Self {
            record,
            copies: Vec::new(),
        }
    }
}
