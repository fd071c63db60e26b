//! The markers: what may stand in `#[kb(...)]`, where, and what it means.
//!
//! `markers` is the table of them, `read` goes through an attribute with it, and `said` holds what was read. Then two judgements:
//! `agree` (do the marks contradict each other) and `fit` (do they suit the type as it is written).

mod agree;
mod fit;
mod format;
mod markers;
mod pattern;
mod read;
mod readers;
mod rule;
mod said;
mod unknown;

pub(crate) use agree::agree;
pub(crate) use fit::{Is, Subject, fit};
pub(crate) use markers::names;
pub(crate) use read::{read, read_mark};
pub(crate) use readers::{choose, column_format, filled, priority};
pub(crate) use said::{Place, Said, Selected};
