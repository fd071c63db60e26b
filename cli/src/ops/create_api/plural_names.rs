//! Plurals of a kind in generated code.

use heck::ToSnakeCase;
use kb_model::{Kind, Plural};

/// Plurals of a kind: `NetworkPolicies` in prose and `network_policies` in code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PluralNames {
    pub(super) prose: String,
    pub(super) variable: String,
}

impl PluralNames {
    /// Derives the plurals from the resource name. A custom one has no known relation to the words of the kind.
    pub(super) fn new(kind: &Kind, plural: &Plural) -> Self {
        let variable = plural.identifier();
        // A keyword keeps the underscore of its identifier.
        if *plural != kind.plural() || variable != plural.as_str() {
            return Self {
                prose: format!("{kind} objects"),
                variable,
            };
        }
        Self {
            prose: inflected(kind.as_str(), &kind.lower(), plural),
            variable: inflected(&kind.as_str().to_snake_case(), &kind.lower(), plural),
        }
    }
}

/// Replaces the ending of a spelling of `singular` with that of `plural`.
fn inflected(spelling: &str, singular: &str, plural: &Plural) -> String {
    let plural = plural.as_str();
    let pairs = singular.chars().zip(plural.chars());
    let stem = pairs.take_while(|(a, b)| a == b).count();
    let ending = singular.len() - stem;
    format!(
        "{}{}",
        &spelling[..spelling.len() - ending],
        &plural[stem..]
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(kind: &str, plural: Option<&str>) -> (String, String) {
        let kind: Kind = kind.parse().unwrap();
        let plural = plural.map_or_else(|| kind.plural(), |plural| plural.parse().unwrap());
        let PluralNames { prose, variable } = PluralNames::new(&kind, &plural);
        (prose, variable)
    }

    #[test]
    fn pluralizes_the_last_word() {
        for (kind, prose, variable) in [
            ("AppService", "AppServices", "app_services"),
            ("NetworkPolicy", "NetworkPolicies", "network_policies"),
            ("Ingress", "Ingresses", "ingresses"),
            ("Endpoints", "Endpoints", "endpoints"),
            ("HTTPRoute2XX", "HTTPRoute2XXes", "http_route2_xxes"),
            ("ComputerMouse", "ComputerMice", "computer_mice"),
        ] {
            assert_eq!(names(kind, None), (prose.to_owned(), variable.to_owned()));
        }
    }

    #[test]
    fn keeps_a_custom_plural() {
        let expected = ("Task objects".to_owned(), "to_dos".to_owned());
        assert_eq!(names("Task", Some("to-dos")), expected);
    }
}
