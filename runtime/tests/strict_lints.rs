//! Nothing that kb emits draws a warning, whatever its author denies.

#![deny(
    clippy::pedantic,
    clippy::same_name_method,
    clippy::missing_docs_in_private_items
)]
#![deny(
    warnings,
    missing_docs,
    missing_debug_implementations,
    unreachable_pub,
    unused_qualifications
)]
#![deny(
    elided_lifetimes_in_paths,
    single_use_lifetimes,
    trivial_casts,
    unused_lifetimes,
    unused_results
)]
#![forbid(unsafe_code)]

use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;

/// Runs an image.
#[kb::resource(group = "example.com", version = "v1", kind = "AppService", status = AppServiceStatus, short_name = "as")]
pub struct AppServiceSpec {
    /// Pods to run.
    #[kb(minimum = 1, default = 1, column)]
    pub replicas: i32,
    /// How.
    #[kb(default = Mode::Fast)]
    pub mode: Mode,
    /// More.
    pub parts: Option<Vec<Part>>,
}

/// What was seen.
#[kb::object]
pub struct AppServiceStatus {
    /// What holds.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}

/// Watches.
#[kb::rbac(
    groups = "core",
    resources = "pods",
    verbs = "get",
    reason = "They are counted."
)]
#[derive(Debug)]
pub struct Controller<'a, T: ?Sized>(pub &'a T);

/// How it runs.
#[kb::object]
#[derive(Copy, Eq, Hash)]
pub enum Mode {
    /// Quickly.
    #[default]
    Fast,
    /// Not so.
    Slow,
}

/// One of two.
#[kb::object]
pub enum Part {
    /// By name.
    Named(Name),
    /// By number.
    Numbered {
        /// The number.
        number: i64,
    },
}

/// A name.
#[kb::object]
#[kb(max_length = 63)]
#[derive(Eq)]
pub struct Name(pub String);

mod private {
    //! Kinds need not be public.
    /// A text.
    #[kb::resource(group = "example.com", version = "v1", kind = "Memo")]
    struct MemoSpec {
        /// The text.
        text: String,
    }

    /// Makes one.
    pub(super) fn use_it() -> String {
        Memo::new(
            "a",
            MemoSpec {
                text: String::new(),
            },
        )
        .spec
        .text
    }
}

#[test]
fn private_kinds_work() {
    assert_eq!(private::use_it(), "");
}
