//! Comma-separated values.

use csv::{QuoteStyle, Writer, WriterBuilder};

/// A writer that quotes what is no number, so that programs tell texts and numbers apart.
pub fn csv_writer() -> Writer<Vec<u8>> {
    let mut builder = WriterBuilder::new();
    builder.quote_style(QuoteStyle::NonNumeric);
    builder.from_writer(Vec::new())
}
