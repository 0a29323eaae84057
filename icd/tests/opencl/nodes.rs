//! Several simulated nodes, each of which is a platform, and the clocks of their host programs.

use crate::process::{compile, run_with};
use crate::session::vendors;
use std::process::Command;

#[test]
fn nodes_are_platforms_with_simulated_time_of_their_own() {
    let program = compile("nodes");
    for threads in ["1", "4"] {
        let variables = [("MOCL3_NODES", "3"), ("MOCL3_HOST_THREADS", threads)];
        assert_eq!(run_with(&program, &variables), "right\n");
    }
}

/// Which launches are equal, and that others are executed.
#[test]
fn equal_launches_share_a_time_if_asked_to() {
    let program = compile("shared_launches");
    for threads in ["1", "4"] {
        let variables = [
            ("MOCL3_SHARE_LAUNCHES", "1"),
            ("MOCL3_HOST_THREADS", threads),
        ];
        assert_eq!(run_with(&program, &variables), "right\n");
    }
}

/// A launch that would follow an index which no launch computed fails, and says why.
#[test]
fn executed_launches_follow_no_missing_results() {
    let program = compile("shared_data");
    for threads in ["1", "4"] {
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_SHARE_LAUNCHES", "1")
            .env("MOCL3_HOST_THREADS", threads)
            .env_remove("MOCL3_DEVICE_TYPE")
            .output()
            .unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.stdout, b"right\n", "{errors}");
        let reason = "what `gather` does depends on results of launches that shared the time";
        assert!(errors.contains(reason), "{errors}");
    }
}

/// Two ranks of MPICH on a node: each finds its cluster, in its recording too.
#[test]
fn each_rank_has_a_cluster() {
    let [counts, launches] = ["device_types", "printf"].map(compile);
    for (ranks, rank, expected, name) in [
        ("cluster", "0", "all: 1, 1 in a context", "cluster 0"),
        ("cluster", "6", "all: 1, 1 in a context", "cluster 2"),
        ("node", "1", "all: 4, 4 in a context", "cluster 3"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let printed = |program| {
            let output = Command::new(program)
                .env("OCL_ICD_VENDORS", vendors())
                .env("MOCL3_RANKS", ranks)
                .env("MPI_LOCALRANKID", rank)
                .env("MPI_LOCALNRANKS", "8")
                .env("MOCL3_RECORD", folder.path())
                .env_remove("MOCL3_DEVICE_TYPE")
                .env_remove("MOCL3_HOST_THREADS")
                .output()
                .unwrap();
            assert!(output.status.success(), "{ranks} {rank}: {output:?}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        let found = printed(&counts);
        assert!(found.contains(expected), "{ranks} {rank}: {found}");
        printed(&launches);
        let recording = std::fs::read_dir(folder.path()).unwrap().next().unwrap();
        let text = std::fs::read_to_string(recording.unwrap().path()).unwrap();
        assert!(text.contains(name), "{ranks} {rank}: {text}");
        assert!(
            text.contains(r#""host_threads":1"#),
            "{ranks} {rank}: {text}"
        );
    }
}

/// Without a launcher, and with another value, the process has all clusters.
#[test]
fn values_for_ranks_are_checked() {
    let program = compile("device_types");
    for (ranks, log) in [
        (
            "cluster",
            "no launcher has set any of OMPI_COMM_WORLD_LOCAL_RANK",
        ),
        ("core", "MOCL3_RANKS=core is neither cluster nor node"),
    ] {
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_RANKS", ranks)
            .env_remove("MOCL3_DEVICE_TYPE")
            .env_remove("MOCL3_LOG")
            .env_remove("SLURM_LOCALID")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(printed.contains("all: 4, 4 in a context"), "{printed}");
        let found = String::from_utf8_lossy(&output.stderr);
        assert!(found.contains(log), "{ranks}: {found}");
    }
}

/// A number that is none leaves one platform, and the log says why.
#[test]
fn numbers_of_nodes_are_checked() {
    let program = compile("device_types");
    for (value, warns) in [("", false), ("2", false), ("0", true), ("two", true)] {
        let output = Command::new(&program)
            .env("OCL_ICD_VENDORS", vendors())
            .env("MOCL3_NODES", value)
            .env_remove("MOCL3_DEVICE_TYPE")
            .env_remove("MOCL3_LOG")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert!(
            printed.contains("all: 4, 4 in a context"),
            "{value}: {printed}"
        );
        let log = String::from_utf8_lossy(&output.stderr);
        assert_eq!(log.contains("MOCL3_NODES"), warns, "{value}: {log}");
    }
}
