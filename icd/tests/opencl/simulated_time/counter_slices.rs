//! A launch takes the same simulated time whether its work-groups run untimed code and a
//! slice of timed code, or timed code as a whole (docs/compiler/overview.md, "Counter slices").

use super::recordings::recorded;
use crate::process::compile;

#[test]
fn slices_count_what_the_whole_code_counts() {
    let program = compile("counter_slices");
    for setting in [
        &[][..],
        &[("MOCL3_LANES", "0")],
        &[("MOCL3_HOST_THREADS", "3")],
    ] {
        let process = recorded(&program, setting);
        let commands = process.commands.iter();
        let launches: Vec<_> = commands
            .filter_map(|command| command.report.as_ref())
            .collect();
        assert_eq!(launches.len(), 4, "{setting:?}");
        for pair in launches.chunks(2) {
            let [slice, whole] = pair else { unreachable!() };
            assert_eq!(slice.timing, whole.timing, "{setting:?}");
            assert_eq!(slice.totals, whole.totals, "{setting:?}");
            assert!(slice.timing.end > slice.timing.start);
        }
        assert_eq!(launches[2].timing.transfers, 32 * 15);
    }
}
