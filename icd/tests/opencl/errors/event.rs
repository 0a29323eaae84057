//! Events, markers and barriers.
