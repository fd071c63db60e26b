//! API version, such as `v1` or `v1beta2`.
//!
//! Like the API server, accepts any DNS-1035 label; [`Version::is_conventional`] checks for the conventional form. Ordered by Kubernetes' version
//! priority.

use std::cmp::{Ordering, Reverse};

use super::label::Rule;
use super::newtype::newtype;
use super::rust;
use crate::NameError;

const RULE: Rule = Rule::dns1035_label("version", "v1alpha1");

newtype! {
    /// A DNS-1035 label, ordered by Kubernetes' priority: the greater version is the preferred one.
    ///
    /// `v2 > v1 > v2beta1 > v1beta2 > v1alpha1 > bar > foo`: stable before beta before alpha, higher numbers first, then all other names
    /// alphabetically. So `max()` is the preferred version. Different spellings of the same priority (`v1`, `v01`) are ordered as strings.
    pub struct Version
}

fn check(text: &str) -> Result<(), NameError> {
    RULE.check(text)
}

impl Version {
    /// Returns whether it has the conventional form: `v1`, `v1alpha1`, `v2beta3`, with numbers from 1.
    pub fn is_conventional(&self) -> bool {
        let number = |digits: &str| {
            digits.starts_with(|c: char| matches!(c, '1'..='9'))
                && digits.bytes().all(|b| b.is_ascii_digit())
        };
        let Some(rest) = self.0.strip_prefix('v') else {
            return false;
        };
        let unstable = rest.split_once("alpha").or_else(|| rest.split_once("beta"));
        unstable.map_or_else(
            || number(rest),
            |(major, minor)| number(major) && number(minor),
        )
    }

    /// Returns the Rust module of the version.
    pub fn module(&self) -> String {
        rust::module(&self.0)
    }
}

impl Ord for Version {
    fn cmp(&self, other: &Self) -> Ordering {
        Priority::of(&self.0).cmp(&Priority::of(&other.0))
    }
}

impl PartialOrd for Version {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Stability level, in ascending order.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Stability {
    Alpha,
    Beta,
    Stable,
}

/// Sort key: the parts of a Kubernetes version, then the string.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Priority<'a> {
    parts: Option<(Stability, i64, i64)>,
    text: Reverse<&'a str>,
}

impl<'a> Priority<'a> {
    pub(crate) fn of(version: &'a str) -> Self {
        Self {
            parts: parts(version),
            text: Reverse(version),
        }
    }
}

/// Parses stability, major and minor number. Numbers that overflow the API server's integers make it a plain name.
fn parts(version: &str) -> Option<(Stability, i64, i64)> {
    let number = |digits: &str| {
        let all_digits = digits.bytes().all(|b| b.is_ascii_digit());
        digits.parse::<i64>().ok().filter(|_| all_digits)
    };
    let rest = version.strip_prefix('v')?;
    if let Some((major, minor)) = rest.split_once("alpha") {
        Some((Stability::Alpha, number(major)?, number(minor)?))
    } else if let Some((major, minor)) = rest.split_once("beta") {
        Some((Stability::Beta, number(major)?, number(minor)?))
    } else {
        Some((Stability::Stable, number(rest)?, 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::check::{accepts, rejects};

    fn version(text: &str) -> Version {
        text.parse().unwrap()
    }

    #[test]
    fn any_label_that_starts_with_a_letter_is_a_version() {
        accepts::<Version>(&["v1", "v1beta2", "v0", "v01", "foo", "v1-custom"]);
        rejects::<Version>(&[
            ("V1", "contains the upper-case letter 'V'", "try `v1`"),
            ("v1.2", "contains a dot", "try `v1-2`"),
            (
                "1",
                "starts with the digit '1'",
                "use at most 63 lower-case letters, digits and '-', starting with a letter, such as `v1alpha1`",
            ),
        ]);
    }

    #[test]
    fn the_conventional_form_has_numbers_from_one() {
        for name in ["v1", "v12", "v1beta2", "v2alpha1", "v10alpha10"] {
            assert!(version(name).is_conventional(), "{name}");
        }
        for name in [
            "v0",
            "v01",
            "v1beta0",
            "v1beta01",
            "v1beta",
            "vbeta1",
            "beta1",
            "v1gamma1",
            "v",
            "v1-1",
            "v1alphabeta1",
        ] {
            assert!(!version(name).is_conventional(), "{name}");
        }
    }

    #[test]
    fn prefers_the_greatest_version() {
        // Example of the Kubernetes documentation, most preferred first.
        let documented = [
            "v10",
            "v2",
            "v1",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v12alpha1",
            "v11alpha2",
            "foo1",
            "foo10",
        ];
        let mut sorted: Vec<Version> = documented.iter().rev().map(|text| version(text)).collect();
        sorted.rotate_left(3);
        sorted.sort_by(|a, b| b.cmp(a));
        assert_eq!(sorted, documented.map(version));
    }

    #[test]
    fn orders_spellings_of_equal_priority() {
        assert_ne!(version("v1").cmp(&version("v01")), Ordering::Equal);
        assert!(version("v1") > version("v99999999999999999999"));
    }

    #[test]
    fn modules_are_valid_rust_names() {
        assert_eq!(version("v1beta1").module(), "v1beta1");
        assert_eq!(version("v1-custom").module(), "v1_custom");
        assert_eq!(version("try").module(), "try_");
    }
}
