//! What YAML 1.1, which kubectl reads, takes for something else than text when it stands without quotes.
//!
//! Manifests carry names unquoted, as people write them. The few names that would turn into booleans, numbers or null
//! there are refused instead, each by its own rule and with these words.

/// Why a name is refused that [`is_value`].
pub(super) const PROBLEM: &str = "is not text but a value in YAML";

/// Whether the unquoted text is a boolean, null or a number.
pub(super) fn is_value(text: &str) -> bool {
    const WORDS: &[&str] = &["false", "n", "no", "null", "off", "on", "true", "y", "yes"];
    WORDS.contains(&text.to_ascii_lowercase().as_str())
        || text.starts_with(|first: char| first.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_and_numbers_are_values() {
        for value in ["On", "NULL", "y", "True", "1.5", "1e5"] {
            assert!(is_value(value), "{value}");
        }
        for text in ["Only", "yes-man", "v1", "1.5.example.com", "Note", "Nan"] {
            assert!(!is_value(text), "{text}");
        }
    }
}
