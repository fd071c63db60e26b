//! Group, version and kind in one argument: `batch/v1/CronJob`.
//!
//! Keeps the group as written, short or full, including `core`. The caller decides which API group it means (`builtin::find` knows the spellings of
//! Kubernetes' groups). Reports all invalid parts.

use std::fmt;
use std::str::FromStr;

use super::{Group, Kind, Version};
use crate::{NameError, NameErrors};

/// Parsed `GROUP/VERSION/KIND`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Gvk {
    /// Group as written; `None` in `/v1/Pod`.
    pub group: Option<Group>,
    /// Version.
    pub version: Version,
    /// Kind.
    pub kind: Kind,
}

impl FromStr for Gvk {
    type Err = NameErrors;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parts: Vec<&str> = text.split('/').collect();
        let [group, version, kind] = parts[..] else {
            return Err(wrong_shape(text, parts.len()).into());
        };
        let group = Some(group)
            .filter(|group| !group.is_empty())
            .map(str::parse)
            .transpose();
        match (group, version.parse(), kind.parse()) {
            (Ok(group), Ok(version), Ok(kind)) => Ok(Self {
                group,
                version,
                kind,
            }),
            (group, version, kind) => {
                let errors = [group.err(), version.err(), kind.err()];
                Err(NameErrors::new(errors.into_iter().flatten().collect()))
            }
        }
    }
}

fn wrong_shape(text: &str, parts: usize) -> NameError {
    let problem = match parts {
        _ if text.is_empty() => "is empty".to_owned(),
        1 => "has no slash".to_owned(),
        2 => "has 2 parts, expected 3".to_owned(),
        _ => format!("has {parts} parts, expected 3"),
    };
    let help = "use GROUP/VERSION/KIND, such as `batch/v1/CronJob` or `core/v1/Pod`";
    NameError::new("type", text, problem, help)
}

impl fmt::Display for Gvk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = self.group.as_ref().map_or("", Group::as_str);
        write!(f, "{group}/{}/{}", self.version, self.kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        match text.parse::<Gvk>() {
            Ok(gvk) => {
                assert_eq!(gvk.to_string(), text);
                assert!(expected.is_empty(), "{text} was taken");
            }
            Err(errors) => assert_eq!(errors.to_string(), expected.join("\n")),
        }
    }

    #[test]
    fn parses_three_parts_with_an_optional_group() {
        check("batch/v1/CronJob", &[]);
        check("core/v1/Pod", &[]);
        check("networking.k8s.io/v1/Ingress", &[]);
        check("/v1/Pod", &[]);
        assert_eq!("/v1/Pod".parse::<Gvk>().unwrap().group, None);
    }

    #[test]
    fn reports_all_invalid_parts() {
        check(
            "my_group/V1/cronJob",
            &[
                "group \"my_group\" contains the character '_'",
                "version \"V1\" contains the upper-case letter 'V'",
                "kind \"cronJob\" starts with the lower-case letter 'c'",
            ],
        );
        check("batch//CronJob", &["version \"\" is empty"]);
    }

    #[test]
    fn reports_a_wrong_number_of_parts_with_an_example() {
        check("", &["type \"\" is empty"]);
        check("CronJob", &["type \"CronJob\" has no slash"]);
        check("v1/Pod", &["type \"v1/Pod\" has 2 parts, expected 3"]);
        check("a/b/c/d", &["type \"a/b/c/d\" has 4 parts, expected 3"]);
        let errors = "v1/Pod".parse::<Gvk>().unwrap_err();
        assert!(
            errors
                .iter()
                .all(|error| error.help().contains("`batch/v1/CronJob`"))
        );
    }
}
