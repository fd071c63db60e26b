//! How the tests of the names look at them: the one place that touches the API of all.
//!
//! A test says which values a name takes, and which it refuses with what words.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use crate::NameError;

/// All `values` are taken, and kept as they are.
pub(super) fn accepts<T>(values: &[&str])
where
    T: FromStr<Err = NameError> + Display,
{
    for value in values {
        match value.parse::<T>() {
            Ok(name) => assert_eq!(name.to_string(), *value),
            Err(error) => panic!("refused: {error}"),
        }
    }
}

/// Each case is `(value, problem, help)`.
pub(super) fn refuses<T>(cases: &[(&str, &str, &str)])
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
