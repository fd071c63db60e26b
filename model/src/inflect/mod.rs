//! English plurals, for the resource names of kinds.
//!
//! Results equal those of gobuffalo/flect, used by Kubebuilder, so a ported operator keeps its resource names. This includes flect's oddities
//! (`price` and `lambda` are unchanged); use `--plural` to override. `english` is the data, `rules` applies it.

mod english;
mod rules;

pub use rules::plural_of;
