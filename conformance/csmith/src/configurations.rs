//! The configurations in which each program is built and run.

/// A configuration: build options and environment.
pub struct Configuration {
    /// The name in reports and in `--configuration`.
    pub name: &'static str,
    /// Build options.
    pub options: &'static str,
    /// Environment variables of the process.
    pub variables: &'static [(&'static str, &'static str)],
    /// Whether commands are timed and recorded.
    pub recorded: bool,
}

const PLAIN: Configuration = Configuration {
    name: "default",
    options: "",
    variables: &[],
    recorded: false,
};

/// All configurations. `docs/testing.md` lists them.
pub const ALL: &[Configuration] = &[
    PLAIN,
    Configuration {
        name: "lanes-0",
        variables: &[("MOCL3_LANES", "0")],
        ..PLAIN
    },
    Configuration {
        name: "lanes-8",
        variables: &[("MOCL3_LANES", "8")],
        ..PLAIN
    },
    Configuration {
        name: "lanes-16",
        variables: &[("MOCL3_LANES", "16")],
        ..PLAIN
    },
    Configuration {
        name: "general",
        variables: &[("MOCL3_SPECIALISE", "0")],
        ..PLAIN
    },
    Configuration {
        name: "unoptimised",
        options: "-cl-opt-disable",
        ..PLAIN
    },
    Configuration {
        name: "timed",
        recorded: true,
        ..PLAIN
    },
    Configuration {
        name: "sse2",
        variables: &[("MOCL3_HOST_CPU", "x86-64")],
        ..PLAIN
    },
];
