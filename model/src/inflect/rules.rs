//! How the plural of a word is found in the data.
//!
//! A whole word first; then the irregular words as the last part of a compound (`computermouse`); then the endings;
//! then a plain `s`. Among several that fit, the longest wins. What already ends like a plural is left alone, so the
//! plural of a plural is itself.

use super::english::{ACRONYMS_IN_S, ENDINGS, Family, PLAIN, PLURALS, WHOLE, WORDS};

/// The plural of a word in lower case, as Kubebuilder would have it.
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

/// The plural by the longest stem and ending that the word ends in.
fn inflected(word: &str, families: &[Family]) -> Option<String> {
    families
        .iter()
        .flat_map(|family| family.stems.iter().map(move |stem| (family, *stem)))
        .filter_map(|(family, stem)| {
            let fits = |ending: &str| {
                let head = word.strip_suffix(ending)?.strip_suffix(stem)?;
                Some((
                    stem.len() + ending.len(),
                    format!("{head}{stem}{}", family.plural),
                ))
            };
            fits(family.plural).or_else(|| fits(family.singular))
        })
        .max_by_key(|(length, _)| *length)
        .map(|(_, plural)| plural)
}
