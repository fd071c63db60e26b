//! Edit distance, for suggestions.

/// Returns the Levenshtein distance of two words.
pub fn edit_distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[other.len()]
}

/// Returns the most similar word, or `None`. Allows edits in at most a quarter of the letters, and at most two.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_ascii_lowercase();
    known
        .into_iter()
        .map(|known| (edit_distance(known, &lower), known))
        .filter(|(distance, known)| *distance <= (known.len() / 4).clamp(1, 2))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        for (one, other, count) in [
            ("", "", 0),
            ("apps", "app", 1),
            ("get", "gte", 2),
            ("list", "lost", 1),
        ] {
            assert_eq!(edit_distance(one, other), count, "{one} {other}");
        }
    }

    #[test]
    fn suggests_similar_words_only() {
        let known = ["apps", "batch", "policy", "autoscaling"];
        for (word, nearest_word) in [
            ("app", Some("apps")),
            ("Apps", Some("apps")),
            ("autoscalling", Some("autoscaling")),
            ("art", None),
            ("wave", None),
        ] {
            assert_eq!(nearest(word, known), nearest_word, "{word}");
        }
    }
}
