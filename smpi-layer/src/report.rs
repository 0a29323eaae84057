//! What the ranks did: a file with a line for each, if `MOCL3_MPI_REPORT` names one. `mocl3 mpi`
//! sets it.

use environment::MPI_REPORT;
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;

/// Simulated nanoseconds that each rank has spent in OpenCL's functions so far, by actor.
static SPENT: Mutex<BTreeMap<i64, u64>> = Mutex::new(BTreeMap::new());

/// A rank has spent this many nanoseconds in a function of OpenCL.
pub fn add(actor: i64, duration: u64) {
    *SPENT.lock().entry(actor).or_default() += duration;
}

/// A rank ends at `time`, of its own accord or because it or another one failed. Appends its line: rank,
/// time, time in OpenCL's functions, 1 for a failure, and the numbers of launches of all ranks so far.
pub fn ends(actor: i64, time: u64, failed: bool, [executed, shared]: [u64; 2]) {
    let spent = SPENT.lock().remove(&actor).unwrap_or(0);
    let Some(path) = MPI_REPORT.get() else {
        return;
    };
    let (rank, failed) = (actor - 1, u8::from(failed));
    let line = format!("{rank} {time} {spent} {failed} {executed} {shared}\n");
    let file = OpenOptions::new().append(true).open(&path);
    if let Err(error) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
        eprintln!("mocl3: {}: {error}", path.display());
    }
}
