//! Behavior of a store on watch events.

mod changes;
mod model;
mod reflector;
