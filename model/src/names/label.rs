//! Kubernetes' DNS rules for names, and their error messages.
//!
//! Like apimachinery: DNS-1123 label (lower-case letters, digits and inner `-`), DNS-1035 label (starts with a letter), and DNS-1123 subdomain (labels
//! joined by dots). As in Kubernetes, the length limit applies to the whole subdomain, not to its labels.

use crate::NameError;

/// Rule for a kind of name.
pub(super) struct Rule {
    what: &'static str,
    example: &'static str,
    letter_first: bool,
    dots: bool,
    max: usize,
    usable: fn(&str) -> bool,
}

impl Rule {
    /// DNS-1035 label of at most 63 characters.
    pub(super) const fn dns1035_label(what: &'static str, example: &'static str) -> Self {
        Self {
            what,
            example,
            letter_first: true,
            dots: false,
            max: 63,
            usable: |_| true,
        }
    }

    /// DNS-1123 label of at most 63 characters.
    pub(super) const fn dns1123_label(what: &'static str, example: &'static str) -> Self {
        Self {
            letter_first: false,
            ..Self::dns1035_label(what, example)
        }
    }

    /// DNS-1123 subdomain of at most 253 characters.
    pub(super) const fn dns1123_subdomain(what: &'static str, example: &'static str) -> Self {
        Self {
            dots: true,
            max: 253,
            ..Self::dns1123_label(what, example)
        }
    }

    /// Restricts the length.
    pub(super) const fn at_most(self, max: usize) -> Self {
        Self { max, ..self }
    }

    /// Suggests only names that are `usable`, for names with further rules.
    pub(super) const fn suggesting(self, usable: fn(&str) -> bool) -> Self {
        Self { usable, ..self }
    }

    pub(super) fn check(&self, value: &str) -> Result<(), NameError> {
        match self.problem(value) {
            None => Ok(()),
            Some(problem) => Err(NameError::new(self.what, value, problem, self.help(value))),
        }
    }

    fn problem(&self, value: &str) -> Option<String> {
        if let Some(problem) = missing(value) {
            return Some(problem.to_owned());
        }
        let allowed = |c: char| {
            c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || (c == '.' && self.dots)
        };
        if let Some(bad) = value.chars().find(|&c| !allowed(c)) {
            return Some(format!("contains {}", describe(bad)));
        }
        let first = value.chars().next().filter(char::is_ascii_digit);
        if let Some(digit) = first.filter(|_| self.letter_first) {
            return Some(format!("starts with the digit '{digit}'"));
        }
        if value.starts_with('.') {
            Some("starts with a dot".to_owned())
        } else if value.ends_with(['.', '-']) {
            let last = if value.ends_with('.') { "a dot" } else { "'-'" };
            Some(format!("ends with {last}"))
        } else if value.contains("..") {
            Some("has an empty part between two dots".to_owned())
        } else if value.contains(".-") || value.contains("-.") {
            Some("has '-' next to a dot".to_owned())
        } else {
            too_long(value, self.max)
        }
    }

    fn help(&self, value: &str) -> String {
        if value.is_empty() {
            return format!("set one, such as `{}`", self.example);
        }
        if let Some(help) = flag_hint(value) {
            return help.to_owned();
        }
        let suggestion = self.suggestion(value);
        if self.problem(&suggestion).is_none() && (self.usable)(&suggestion) {
            return format!("try `{suggestion}`");
        }
        let dots = if self.dots { "digits, dots" } else { "digits" };
        let first = if self.letter_first {
            ", starting with a letter"
        } else {
            ""
        };
        format!(
            "use at most {} lower-case letters, {dots} and '-'{first}, such as `{}`",
            self.max, self.example
        )
    }

    /// Removes invalid characters; the result may still be invalid.
    fn suggestion(&self, value: &str) -> String {
        let bare = value.split_once("://").map_or(value, |(_, rest)| rest);
        let lower = bare.to_lowercase();
        let separator = if self.dots { '.' } else { '\0' };
        lower
            .split(separator)
            .map(|part| {
                part.split(|c: char| !c.is_ascii_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .collect::<Vec<_>>()
                    .join("-")
            })
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(".")
    }
}

/// Returns the problem of a missing value: empty, or the next flag.
pub(super) fn missing(value: &str) -> Option<&'static str> {
    if value.is_empty() {
        Some("is empty")
    } else if value.starts_with('-') {
        Some("starts with '-'")
    } else {
        None
    }
}

/// Returns the hint for a value that looks like a flag.
pub(super) fn flag_hint(value: &str) -> Option<&'static str> {
    value
        .starts_with('-')
        .then_some("a flag was parsed as this value: pass a value to the preceding flag")
}

/// Returns the problem of an ASCII value that is too long.
pub(super) fn too_long(value: &str, max: usize) -> Option<String> {
    let length = value.len();
    (length > max).then(|| format!("has {length} characters, but at most {max} are allowed"))
}

/// Describes a character, so that spaces and look-alikes are visible.
pub(super) fn describe(c: char) -> String {
    match c {
        ' ' => "a space".to_owned(),
        '/' => "a slash".to_owned(),
        '.' => "a dot".to_owned(),
        _ if c.is_whitespace() => "whitespace other than a space".to_owned(),
        _ if c.is_control() => "a control character".to_owned(),
        _ if !c.is_ascii() => format!("'{c}', which is not ASCII"),
        _ if c.is_ascii_uppercase() => format!("the upper-case letter '{c}'"),
        _ => format!("the character '{c}'"),
    }
}
