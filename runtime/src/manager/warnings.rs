//! Logs warnings of the API server: deprecated versions, unknown fields, admission policies.
//!
//! They are `Warning` headers of a response, which kube ignores. Each request repeats them, so each text is logged once, and again only after
//! hundreds of others.

use std::sync::{Arc, Mutex, PoisonError};

use http::{HeaderMap, header::WARNING};
use tracing::warn;

use crate::lru_map::LruMap;

/// Number of texts to remember. Some contain an object name, so there may be any number.
const CAPACITY: usize = 256;

/// Recently logged warnings. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct Warnings(Arc<Mutex<LruMap<String, ()>>>);

impl Warnings {
    pub(super) fn new() -> Self {
        Self(Arc::new(Mutex::new(LruMap::new(CAPACITY))))
    }

    /// Logs the new warnings of a response.
    pub(super) fn log_new(&self, headers: &HeaderMap) {
        for header in headers.get_all(WARNING) {
            for warning in texts(&String::from_utf8_lossy(header.as_bytes())) {
                if self.is_new(&warning) {
                    warn!(warning, "API server warning");
                }
            }
        }
    }

    fn is_new(&self, warning: &String) -> bool {
        // Nothing panics while the lock is held.
        let mut logged = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_new = logged.get(warning).is_none();
        if is_new {
            logged.insert(warning.clone(), ());
        }
        is_new
    }
}

/// Parses a header: `299 - "text"`, optionally with a quoted date, and further warnings after commas. Kubernetes uses no other code.
fn texts(header: &str) -> Vec<String> {
    let mut texts = Vec::new();
    let mut rest = header;
    while let Some((before, quoted)) = rest.split_once('"') {
        let (text, after) = unquote(quoted);
        if before.trim_start_matches([',', ' ']).starts_with("299 ") {
            texts.push(text);
        }
        rest = after;
    }
    texts
}

/// Splits at the closing quote and unescapes the text before it.
fn unquote(quoted: &str) -> (String, &str) {
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
    fn parses_quoted_texts_after_the_code() {
        let cases: [(&str, &[&str]); 8] = [
            (r#"299 - "deprecated""#, &["deprecated"]),
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
    fn logs_a_warning_once() {
        let log = Log::begin();
        let warnings = Warnings::new();
        let mut headers = HeaderMap::new();
        warnings.log_new(&headers);
        for text in ["299 - \"one\"", "299 - \"two\"", "299 - \"one\""] {
            headers.append(WARNING, HeaderValue::from_static(text));
        }
        for _ in 0..3 {
            warnings.clone().log_new(&headers);
        }
        assert_eq!(log.lines("API server warning").len(), 2);
        assert_eq!(log.lines("one").len(), 1);
    }
}
