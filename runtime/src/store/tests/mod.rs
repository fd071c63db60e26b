//! The behaviour of a store, fed with the events of watches.

mod changes;
mod model;
mod watch;
