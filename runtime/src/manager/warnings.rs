//! Says what the API server warns of: a version that is going away, a field that an admission policy dislikes.
//!
//! It does so in a header of any answer, which kube does not look at. The same text comes with every request, so it is said once, and
//! again only after hundreds of others.

use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, header::WARNING};
use tracing::warn;

use crate::lru_map::LruMap;

/// How many texts are at least remembered. Some name an object, so there may be any number.
const REMEMBERED: usize = 256;

/// The warnings that were said. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Warnings(Arc<Mutex<LruMap<String, ()>>>);

impl Warnings {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(LruMap::new(REMEMBERED))))
    }

    /// Logs the warnings of an answer that are new.
    pub(super) fn say(&self, headers: &HeaderMap) {
        for header in headers.get_all(WARNING) {
            for warning in texts(&String::from_utf8_lossy(header.as_bytes())) {
                if self.is_new(&warning) {
                    warn!(warning, "the API server warns");
                }
            }
        }
    }

    fn is_new(&self, warning: &String) -> bool {
        // Nothing panics while it is held.
        let mut said = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = said.get(warning).is_none();
        if is_new {
            said.insert(warning.clone(), ());
        }
        is_new
    }
}

/// The texts of a header: `299 - "text"`, and perhaps more of them after commas, each perhaps with a date in quotes. Kubernetes has no other
/// code.
fn texts(header: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = header;
    while let Some((before, quoted)) = rest.split_once('"') {
        let (text, after) = unquoted(quoted);
        if before.trim_start_matches([',', ' ']).starts_with("299 ") {
            texts.push(text);
        }
        rest = after;
    }
    texts
}

/// What stands before the quote that ends it, and what after.
fn unquoted(quoted: &str) -> (String, &str) {
    let mut text = String::new();
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => break,
            '\\' => text.extend(characters.next()),
            other => text.push(other),
        }
    }
    (text, characters.as_str())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;
    use crate::store::samples::Log;

    #[test]
    fn texts_are_what_stands_in_quotes_after_the_code() {
        let cases: [(&str, &[&str]); 8] = [
            (r#"299 - "it goes away""#, &["it goes away"]),
            (r#"299 kube "a", 299 - "b""#, &["a", "b"]),
            (
                r#"299 - "a" "Sat, 25 Aug 2012 23:34:45 GMT",299 - "b""#,
                &["a", "b"],
            ),
            (
                r#"299 - "unknown field \"spec.a\", \\ and so on""#,
                &[r#"unknown field "spec.a", \ and so on"#],
            ),
            (r#"299 - "größer""#, &["größer"]),
            (r#"110 - "stale""#, &[]),
            (r#"299 - "without an end"#, &["without an end"]),
            ("", &[]),
        ];
        for (header, expected) in cases {
            assert_eq!(texts(header), expected, "{header}");
        }
    }

    #[test]
    fn a_warning_is_said_once() {
        let log = Log::begin();
        let warnings = Warnings::new();
        let mut headers = HeaderMap::new();
        warnings.say(&headers);
        for text in ["299 - \"one\"", "299 - \"two\"", "299 - \"one\""] {
            headers.append(WARNING, HeaderValue::from_static(text));
        }
        for _ in 0..3 {
            warnings.clone().say(&headers);
        }
        assert_eq!(log.lines("the API server warns").len(), 2);
        assert_eq!(log.lines("one").len(), 1);
    }
}
