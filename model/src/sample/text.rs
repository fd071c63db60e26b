//! Strings: from the format or pattern, otherwise from the field's name.

use std::collections::BTreeSet;

use heck::ToKebabCase;
use serde_json::Value;

use super::{format, layers::Layers, pattern::Pattern};

/// Maximum length of a string.
const MAX_LEN: usize = 4096;
/// Additional examples of a format or pattern to try.
const TRIES: usize = 16;
/// Maximum additional iterations of repetitions in a pattern.
const REPEATS: usize = 64;

/// Returns a string for the field `name`.
pub(super) fn text(layers: &Layers<'_>, name: &str, variant: usize) -> String {
    let rules = Rules::of(layers);
    let format = layers.first("format").and_then(Value::as_str);
    let formatted = |number| format::example(format.unwrap_or_default(), number);
    if let Some(first) = formatted(0) {
        let examples = (0..variant + TRIES).map_while(formatted);
        return rules.choose(examples, variant).unwrap_or(first);
    }
    let named = (0..=variant + 1).map(|number| rules.named(name, number));
    if rules.patterns.is_empty() {
        return rules.named(name, variant);
    }
    let repeats = (0..=rules.least.min(REPEATS) + 1).chain([rules.least]);
    let choices = variant + TRIES;
    let pairs = repeats.flat_map(|more| (0..choices).map(move |choice| (more, choice)));
    let made = pairs.flat_map(|(more, choice)| {
        let patterns = rules.patterns.iter();
        patterns.filter_map(move |pattern| pattern.example(choice, more))
    });
    let found = rules.choose(named.chain(made), variant);
    found.unwrap_or_else(|| rules.named(name, variant))
}

/// Constraints of a string.
struct Rules {
    least: usize,
    most: usize,
    /// Patterns that could be parsed.
    patterns: Vec<Pattern>,
}

impl Rules {
    fn of(layers: &Layers<'_>) -> Self {
        let (least, most) = layers.size_range(["minLength", "maxLength"]);
        let patterns = layers.all("pattern").filter_map(Value::as_str);
        Self {
            least: least.min(MAX_LEN),
            most,
            patterns: patterns.filter_map(Pattern::parse).collect(),
        }
    }

    /// Returns the `variant`th valid string, or the last one.
    fn choose(&self, texts: impl Iterator<Item = String>, variant: usize) -> Option<String> {
        let mut known = BTreeSet::new();
        let mut found = None;
        for text in texts.filter(|text| self.fits(text)) {
            if known.insert(text.clone()) {
                found = Some(text);
            }
            if known.len() > variant {
                break;
            }
        }
        found
    }

    fn fits(&self, text: &str) -> bool {
        let length = text.chars().count();
        // An empty string may be valid, but is not helpful.
        (self.least.max(1)..=self.most).contains(&length)
            && self.patterns.iter().all(|pattern| pattern.matches(text))
    }

    /// Returns the name with a number, in the required length.
    fn named(&self, name: &str, variant: usize) -> String {
        let word = word(name);
        let number = match variant {
            0 => String::new(),
            _ => format!("-{}", variant + 1),
        };
        if number.len() >= self.most {
            // Too short for numbers: use letters.
            let letter = u8::try_from(variant % 26).unwrap_or_default();
            let length = self.least.max(1).min(self.most);
            return char::from(b'a' + letter).to_string().repeat(length);
        }
        let mut text = word.clone();
        while text.len() + number.len() < self.least {
            text.push('-');
            text.push_str(&word);
        }
        text.truncate(self.most - number.len());
        if text.ends_with('-') {
            text.pop();
            text.push('x');
        }
        text + &number
    }
}

/// Converts the name to a form that most naming rules allow: lower-case letters, digits and dashes.
fn word(name: &str) -> String {
    let kebab = name.to_kebab_case();
    let ascii = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-';
    let word: String = kebab.chars().filter(ascii).collect();
    if word.starts_with(|c: char| c.is_ascii_lowercase()) {
        word
    } else {
        "sample".to_owned()
    }
}
