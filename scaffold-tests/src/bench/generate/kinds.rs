//! The API that is measured: kinds that differ in their names alone, in three spellings.
//!
//! A kind has a spec of 12 fields with a list by key, a set, a map, an enum, a nested struct, bounds, patterns, defaults and a CEL rule,
//! and a status with conditions; about 10 kB of CRD. The spellings have the same fields and the same validation, see `api/`.

/// How the API is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Rust, with kb's attributes.
    Kb,
    /// Rust, with kube's, schemars' and serde's derives.
    Kube,
    /// Go, with Kubebuilder's markers and the registration that Kubebuilder writes.
    Go,
}

impl Spelling {
    /// The source of a kind. Revisions differ in a doc line and in the name of a field.
    pub(crate) fn source(self, number: usize, revision: usize) -> String {
        let template = match self {
            Self::Kb => include_str!("api/kb.rs.txt"),
            Self::Kube => include_str!("api/kube.rs.txt"),
            Self::Go => include_str!("api/kind.go.txt"),
        };
        template
            .replace("KIND", &kind(number))
            .replace("SHORT", &format!("w{number:04}"))
            .replace("NUMBER", &number.to_string())
            .replace("EDIT", &revision.to_string())
    }
}

/// What a Go package of kinds has besides them.
pub(crate) const GROUP_VERSION_GO: &str = include_str!("api/groupversion_info.go.txt");

/// The name of a kind.
pub(crate) fn kind(number: usize) -> String {
    format!("Widget{number:04}")
}

/// Its Rust module, and the first part of its Go file's name.
pub(crate) fn module(number: usize) -> String {
    format!("widget{number:04}")
}

/// The file that both tools write its CRD to.
pub(crate) fn crd_file(number: usize) -> String {
    format!("{CRD_FOLDER}/batch.example.com_widget{number:04}s.yaml")
}

/// The folder of the CRDs.
pub(crate) const CRD_FOLDER: &str = "config/crd/bases";

/// The field that a revision has and others have not, as the CRD has it.
pub(crate) fn field(revision: usize) -> String {
    format!("note{revision}:")
}

/// A number of kinds, for people.
pub(crate) fn count(kinds: usize) -> String {
    if kinds == 1 {
        "1 kind".to_owned()
    } else {
        format!("{kinds} kinds")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_has_no_placeholder_left() {
        for spelling in [Spelling::Kb, Spelling::Kube, Spelling::Go] {
            let source = spelling.source(7, 3);
            for placeholder in ["KIND", "SHORT", "NUMBER", "EDIT"] {
                assert!(!source.contains(placeholder), "{spelling:?}: {placeholder}");
            }
            assert!(source.contains("Widget0007Spec"), "{spelling:?}");
            assert!(source.contains("note3"), "{spelling:?}");
        }
    }
}
