//! What stands for each part of client-go: the snippets of the book's map, each run on a real API server.
//!
//! A file is one part. The book shows its functions; the test below them uses them.

mod code_generator;
mod controllers;
mod events;
mod factory;
mod indexer;
mod informer;
mod list_watch;
mod place;
mod reflector;
