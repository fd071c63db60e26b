//! The behaviour of a controller: stores filled by hand, time that passes when nothing else is to do, and no server.

mod ending;
mod failures;
mod logs;
mod running;
mod triggers;
