//! Strings that YAML 1.1, as parsed by kubectl, does not treat as strings unless quoted.
//!
//! Manifests contain names without quotes. Names that would become booleans, numbers or null are rejected.

/// Problem of a name that [`is_value`].
pub(super) const PROBLEM: &str = "is not a string in YAML";

/// Returns whether an unquoted string is a boolean, null or number.
pub(super) fn is_value(text: &str) -> bool {
    const WORDS: &[&str] = &["false", "n", "no", "null", "off", "on", "true", "y", "yes"];
    WORDS.contains(&text.to_ascii_lowercase().as_str())
        || text.starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn treats_only_whole_words_and_numbers_as_values() {
        for value in ["On", "NULL", "y", "True", "1.5", "1e5"] {
            assert!(is_value(value), "{value}");
        }
        for text in ["Only", "yes-man", "v1", "1.5.example.com", "Note", "Nan"] {
            assert!(!is_value(text), "{text}");
        }
    }
}
