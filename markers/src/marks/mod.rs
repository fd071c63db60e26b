//! The markers of `#[kb(...)]`.
//!
//! `table` is the table of markers, `read` parses an attribute, `parsed` holds the result. Two checks follow: `agree` (do markers contradict each
//! other) and `fit` (do they fit the type).

mod conflicts;
mod fit;
mod format;
mod parsed;
mod pattern;
mod read;
mod readers;
mod rule;
mod table;
mod unknown;

pub(crate) use conflicts::check_conflicts;
pub(crate) use fit::{Subject, TypePhrase, check_fit};
pub(crate) use parsed::{OneOfRule, ParsedMarkers, Target};
pub(crate) use read::{read, read_mark};
pub(crate) use readers::{choose, column_format, non_empty, priority};
pub(crate) use table::names;
