//! The checking mode, `MOCL3_CHECK`: launches whose DMA transfers are checked for races.

use environment::CHECK;
use host_exec::cluster_executor::ClusterExecutor;
use host_exec::dma_checker::DmaChecker;
use host_exec::error::ExecError;
use host_exec::launch::Launch;
use kernel_compiler::executable::WorkGroupCode;
use once_cell::sync::Lazy;

/// Whether accesses are checked.
pub(crate) fn is_on() -> bool {
    static WANTED: Lazy<bool> = Lazy::new(|| {
        let value = CHECK.get().unwrap_or_default();
        wanted(&value.to_string_lossy()).unwrap_or_else(|| {
            log::warn!("{CHECK}={} is not dma; nothing is checked", value.display());
            false
        })
    });
    *WANTED
}

/// Parses the value of `MOCL3_CHECK`; none if it is invalid.
fn wanted(value: &str) -> Option<bool> {
    match value.trim() {
        "" | "0" => Some(false),
        "dma" => Some(true),
        _ => None,
    }
}

/// Executes a launch of checked code. Logs and returns the findings, one sentence each.
///
/// # Errors
/// As `ClusterExecutor::run`.
///
/// # Safety
/// As `host_exec::execute::execute`.
pub(crate) unsafe fn run(
    cluster: &ClusterExecutor,
    launch: &Launch<'_>,
    code: &WorkGroupCode,
) -> Result<Vec<String>, ExecError> {
    let checker = DmaChecker::default();
    let launch = Launch {
        checker: Some(&checker),
        ..*launch
    };
    // SAFETY: as the caller promises.
    unsafe { cluster.run(&launch) }?;
    let sites = code.sites.as_deref().unwrap_or_default();
    let findings = checker.finish().into_iter();
    Ok(findings
        .map(|finding| {
            let sentence = format!("kernel `{}`: {}", code.kernel, finding.sentence(sites));
            log::warn!("{sentence}");
            sentence
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn values_are_parsed() {
        for (value, meaning) in [
            ("", Some(false)),
            ("0", Some(false)),
            ("dma", Some(true)),
            ("1", None),
        ] {
            assert_eq!(wanted(value), meaning, "{value}");
        }
    }
}
