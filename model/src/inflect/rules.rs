//! Finds the plural of a word.
//!
//! Tries whole words, then irregular words at the end of a compound (`computermouse`), then endings, then a plain `s`. The longest match wins. Words
//! that end like a plural are unchanged, so the plural of a plural is itself.

use super::english::{ACRONYMS_IN_S, ENDINGS, Family, PLAIN, PLURALS, WHOLE, WORDS};

/// Returns the plural of a lower-case word, as in Kubebuilder.
pub fn plural_of(word: &str) -> String {
    if PLURALS.contains(&word) {
        return word.to_owned();
    }
    if PLAIN.contains(&word) {
        return format!("{word}s");
    }
    if ACRONYMS_IN_S.contains(&word) {
        return format!("{word}es");
    }
    if let Some((_, plural)) = WHOLE.iter().find(|(singular, _)| *singular == word) {
        return (*plural).to_owned();
    }
    inflected(word, WORDS)
        .or_else(|| inflected(word, ENDINGS))
        .unwrap_or_else(|| {
            let plural = if word.ends_with('s') { "" } else { "s" };
            format!("{word}{plural}")
        })
}

/// Returns the plural by the longest matching stem and ending. A word with a plural ending is unchanged.
fn inflected(word: &str, families: &[Family]) -> Option<String> {
    let mut best: Option<(usize, &str, &str)> = None;
    for family in families {
        let headless = |ending: &'static str| word.strip_suffix(ending);
        let (plural, singular) = (headless(family.plural), headless(family.singular));
        if plural.is_none() && singular.is_none() {
            continue;
        }
        for stem in family.stems {
            let fits = |head: Option<&str>| head.is_some_and(|head| head.ends_with(stem));
            let (length, head) = if fits(plural) {
                (stem.len() + family.plural.len(), plural)
            } else if fits(singular) {
                (stem.len() + family.singular.len(), singular)
            } else {
                continue;
            };
            if best.is_none_or(|(longest, ..)| length >= longest) {
                best = head.map(|head| (length, head, family.plural));
            }
        }
    }
    best.map(|(_, head, plural)| format!("{head}{plural}"))
}
