//! English plurals, for the resource names of kinds.
//!
//! The results are those of gobuffalo/flect, which Kubebuilder asks: who moves an operator from there, or types the
//! same command in both, gets the same resource name. That holds where flect's English is odd, too (`price` and
//! `lambda` stay as they are); `--plural` is for those who mind. `english` is the data, `rules` reads it.

mod english;
mod rules;

pub use rules::plural_of;
