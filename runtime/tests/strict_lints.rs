//! Generated code causes no warnings under strict lints.

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
    /// Mode of operation.
    #[kb(default = Mode::Fast)]
    pub mode: Mode,
    /// Parts of the service.
    pub parts: Option<Vec<Part>>,
}

/// Observed state.
#[kb::object]
pub struct AppServiceStatus {
    /// Current conditions.
    #[kb(optional, list_map_key = "type")]
    pub conditions: Vec<Condition>,
}

/// Reconciler.
#[kb::rbac(
    groups = "core",
    resources = "pods",
    verbs = "get",
    reason = "Counts pods."
)]
#[derive(Debug)]
pub struct Controller<'a, T: ?Sized>(pub &'a T);

/// Mode of operation.
#[kb::object]
#[derive(Copy, Eq, Hash)]
pub enum Mode {
    /// Fast mode.
    #[default]
    Fast,
    /// Slow mode.
    Slow,
}

/// Reference to a part.
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
    //! A private kind.
    /// Memo with a text.
    #[kb::resource(group = "example.com", version = "v1", kind = "Memo")]
    struct MemoSpec {
        /// The text.
        text: String,
    }

    /// Creates a memo and returns its text.
    pub(super) fn memo_text() -> String {
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
    assert_eq!(private::memo_text(), "");
}
