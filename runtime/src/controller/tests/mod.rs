//! Controller behavior with hand-fed stores and paused time, without a server.

mod failures;
mod harness;
mod lifecycle;
mod logs;
mod triggers;
