//! The markers of `#[kb(...)]`.
//!
//! `table` is the table of markers, `read` parses an attribute, `parsed` holds the result. Two checks follow: `agree` (do markers contradict each
//! other) and `fit` (do they fit the type).

mod agree;
mod fit;
mod format;
mod parsed;
mod pattern;
mod read;
mod readers;
mod rule;
mod table;
mod unknown;

pub(crate) use agree::agree;
pub(crate) use fit::{Is, Subject, fit};
pub(crate) use parsed::{ParsedMarkers, Place, Selected};
pub(crate) use read::{read, read_mark};
pub(crate) use readers::{choose, column_format, filled, priority};
pub(crate) use table::names;
