//! Findings of calls of the API: errors that they return, and objects that are never released.

use crate::check::{selection, sink, stops};
use crate::context::Context;
use crate::execution::callbacks;
use findings::{Finding, Kind};
use std::sync::Arc;

/// Whether calls of the API are checked.
pub fn is_on() -> bool {
    selection().api
}

/// Reports that `function` returned an error, the first time to the context's callback, too.
/// `kernel` is empty if the call is about none.
pub fn report_error(function: &str, kernel: &str, message: String, context: Option<Arc<Context>>) {
    let sentences = sink::report(vec![Finding {
        function: function.to_owned(),
        kernel: kernel.to_owned(),
        ..Finding::new(Kind::ApiError, message)
    }]);
    sentences.iter().for_each(|sentence| stops::stop(sentence));
    if let Some(context) = context {
        notify(context, sentences);
    }
}

/// Passes sentences to the callback of a context.
pub(super) fn notify(context: Arc<Context>, sentences: Vec<String>) {
    if sentences.is_empty() {
        return;
    }
    callbacks::call(move || {
        for sentence in sentences {
            context.notify(&sentence);
        }
    });
}

/// Reports objects that are not released when the process ends, a message for each context.
pub fn report_leaks(messages: Vec<String>) {
    let leaks = messages.into_iter();
    let sentences = sink::report(
        leaks
            .map(|message| Finding::new(Kind::Leak, message))
            .collect(),
    );
    sentences.iter().for_each(|sentence| stops::stop(sentence));
}
