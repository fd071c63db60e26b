//! Suggests known words for unknown ones.

use kb_model::edits;

/// Returns a suggestion for an unknown word, if a known one is similar.
pub(crate) fn did_you_mean<'a>(
    written: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(written, known).map(|word| format!("did you mean `{word}`?"))
}

fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| word.replace(['_', '-'], "").to_lowercase();
    let written = plain(written);
    known
        .into_iter()
        .map(|word| (edits(&plain(word), &written), word))
        .filter(|(edits, word)| *edits <= (word.len() / 3).min(3))
        .min_by_key(|(edits, _)| *edits)
        .map(|(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_word_and_a_stranger_none() {
        let known = ["minimum", "maximum", "min_length", "enum", "cel"];
        for (written, meant) in [
            ("minimun", Some("minimum")),
            ("minLength", Some("min_length")),
            ("Enum", Some("enum")),
            ("cell", Some("cel")),
            ("banana", None),
            ("x", None),
        ] {
            assert_eq!(nearest(written, known), meant, "{written}");
        }
    }
}
