//! The checking mode, `MOCL3_CHECK`: launches whose accesses are checked.

use crate::kernel::launch::Launch;
use environment::CHECK;
use host_exec::dma_checker::DmaChecker;
use host_exec::error::ExecError;
use host_exec::execute;
use once_cell::sync::Lazy;

/// Whether accesses are to be checked.
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

/// None if the value is wrong.
fn wanted(value: &str) -> Option<bool> {
    match value.trim() {
        "" | "0" => Some(false),
        "dma" => Some(true),
        _ => None,
    }
}

/// Runs a launch of checked code; the log and the context's callback are told what was found.
///
/// # Safety
/// As `host_exec::execute::execute`.
pub(crate) unsafe fn run(launch: &Launch, on: &execute::Launch<'_>) -> Result<(), ExecError> {
    let checker = DmaChecker::default();
    let on = execute::Launch {
        checker: Some(&checker),
        ..*on
    };
    // SAFETY: as the caller promises.
    unsafe { launch.device.cluster().run(&on) }?;
    let sites = launch.code.sites.as_deref().unwrap_or_default();
    for finding in checker.finish() {
        let sentence = format!(
            "kernel `{}`: {}",
            launch.code.kernel,
            finding.sentence(sites)
        );
        log::warn!("{sentence}");
        launch.context.notify(&sentence);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::wanted;

    #[test]
    fn a_wrong_value_is_known_as_such() {
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
