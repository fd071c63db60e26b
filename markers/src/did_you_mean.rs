//! Suggests known words for unknown ones.

use kb_model::edit_distance;

/// Returns a suggestion for an unknown word, if a known one is similar.
pub(crate) fn did_you_mean<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    nearest(word, known).map(|known| format!("did you mean `{known}`?"))
}

fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |word: &str| word.replace(['_', '-'], "").to_lowercase();
    let plain_word = plain(word);
    known
        .into_iter()
        .map(|known| (edit_distance(&plain(known), &plain_word), known))
        .filter(|(distance, known)| *distance <= (known.len() / 3).min(3))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_similar_words_only() {
        let known = ["minimum", "maximum", "min_length", "enum", "cel"];
        for (word, nearest_word) in [
            ("minimun", Some("minimum")),
            ("minLength", Some("min_length")),
            ("Enum", Some("enum")),
            ("cell", Some("cel")),
            ("banana", None),
            ("x", None),
        ] {
            assert_eq!(nearest(word, known), nearest_word, "{word}");
        }
    }
}
