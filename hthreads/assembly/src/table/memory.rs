//! Loads and stores.

use super::access::{ScalarAccess, VectorLayout};
use super::mnemonic::{Action, Kind, Mnemonic, rows};
use super::units::Units;

/// The second instruction of two that access 512 bytes gets the address of the second 256.
const SECOND: i8 = -32;

rows! {
    "SLDH" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Half { signed: true });
    "SLDHU" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Half { signed: false });
    "SLDW" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Word);
    "SLDDW" SLD 7 [ScalarMemory ScalarPair] Action::Load(ScalarAccess::Pair);
    "SLDB" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Byte { signed: true });
    "SLDBU" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Byte { signed: false });
    "SLDDB" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Bytes2 { signed: true });
    "SLDDBU" SLD 7 [ScalarMemory Scalar] Action::Load(ScalarAccess::Bytes2 { signed: false });
    "SSTH" SLD 1 [Scalar ScalarMemory] Action::Store(ScalarAccess::Half { signed: true });
    "SSTW" SLD 1 [Scalar ScalarMemory] Action::Store(ScalarAccess::Word);
    "SSTDW" SLD 1 [ScalarPair ScalarMemory] Action::Store(ScalarAccess::Pair);
    "SSTB" SLD 1 [Scalar ScalarMemory] Action::Store(ScalarAccess::Byte { signed: true });
    "SSTDB" SLD 1 [Scalar ScalarMemory] Action::Store(ScalarAccess::Bytes2 { signed: true });
    "VLDH" VLS 9 [VectorMemory Vector] Action::VectorLoad(VectorLayout::Half { signed: true });
    "VLDHU" VLS 9 [VectorMemory Vector] Action::VectorLoad(VectorLayout::Half { signed: false });
    "VLDW" VLS 9 [VectorMemory Vector] Action::VectorLoad(VectorLayout::Word);
    "VLDDW" VLS 9 [VectorMemory VectorPair] Action::VectorLoad(VectorLayout::Pair);
    "VLDDWM2" VLS 9 [VectorMemory VectorPair] Action::VectorLoad(VectorLayout::Interleaved { step: 2, first: 0 });
    "VLDDW0M2" VLS 9 [VectorMemory VectorPair] Action::VectorLoad(VectorLayout::EveryOther { first: 0 });
    "VLDDW1M2" VLS 9 [VectorMemory VectorPair] Action::VectorLoad(VectorLayout::EveryOther { first: SECOND + 1 });
    "VLDDW0M4" VLS 9 [VectorMemory VectorPair] Action::VectorLoad(VectorLayout::Interleaved { step: 4, first: 0 });
    "VLDDW1M4" VLS 9 [VectorMemory VectorPair] Action::VectorLoad(VectorLayout::Interleaved { step: 4, first: SECOND + 2 });
    "VSTH" VLS 1 [Vector VectorMemory] Action::VectorStore(VectorLayout::Half { signed: true });
    "VSTW" VLS 1 [Vector VectorMemory] Action::VectorStore(VectorLayout::Word);
    "VSTDW" VLS 1 [VectorPair VectorMemory] Action::VectorStore(VectorLayout::Pair);
    "VSTDWM16" VLS 1 [VectorPair VectorMemory] Action::VectorStore(VectorLayout::Interleaved { step: 2, first: 0 });
    "VSTDW0M16" VLS 1 [VectorPair VectorMemory] Action::VectorStore(VectorLayout::Interleaved { step: 4, first: 0 });
    "VSTDW1M16" VLS 1 [VectorPair VectorMemory] Action::VectorStore(VectorLayout::Interleaved { step: 4, first: SECOND + 2 });
    "VSTDW0M32" VLS 1 [VectorPair VectorMemory] Action::VectorStore(VectorLayout::InterleavedHalves { first: 0 });
    "VSTDW1M32" VLS 1 [VectorPair VectorMemory] Action::VectorStore(VectorLayout::InterleavedHalves { first: 2 * SECOND + 2 });
}
