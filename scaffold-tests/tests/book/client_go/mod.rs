//! Snippets of the page on client-go, with tests on a real API server.

mod code_generator;
mod controllers;
mod events;
mod factory;
mod indexer;
mod informer;
mod list_watch;
mod reflector;
mod test_namespace;
