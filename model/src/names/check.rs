//! Test helper for names.
//!
//! Checks which values are accepted, and which are rejected with which message.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use crate::NameError;

/// Checks that all `values` are accepted unchanged.
pub(super) fn accepts<T>(values: &[&str])
where
    T: FromStr<Err = NameError> + Display,
{
    for value in values {
        match value.parse::<T>() {
            Ok(name) => assert_eq!(name.to_string(), *value),
            Err(error) => panic!("rejected: {error}"),
        }
    }
}

/// Each case is `(value, problem, help)`.
pub(super) fn rejects<T>(cases: &[(&str, &str, &str)])
where
    T: FromStr<Err = NameError> + Debug,
{
    for (value, problem, help) in cases {
        let error = value.parse::<T>().expect_err(value);
        assert_eq!(
            (error.value(), error.problem(), error.help()),
            (*value, *problem, *help)
        );
    }
}
