//! Paths of values in an object.
//!
//! Printer columns use kubectl's JSON paths, where names can be quoted: `.spec['app.kubernetes.io/name']`. The API server splits scale paths and
//! selectable fields at dots, so they cannot contain such names.

/// A path from the root of an object. Values inside of lists and maps have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    segments: Vec<Segment>,
}

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    /// To a property.
    Property(String),
    /// To the elements of a list.
    Elements,
    /// To the values of a map.
    Values,
}

impl Path {
    pub(super) fn push(&mut self, segment: Segment) {
        self.segments.push(segment);
    }

    pub(super) fn pop(&mut self) {
        self.segments.pop();
    }

    /// Returns the path of a root property: `spec` or `status`.
    pub(super) fn root(&self) -> &str {
        match self.segments.first() {
            Some(Segment::Property(name)) => name,
            _ => "",
        }
    }

    /// Formats the path for messages: `.spec.containers[].name`.
    pub(super) fn display(&self) -> String {
        let mut text = String::new();
        for segment in &self.segments {
            match segment {
                Segment::Property(name) => property(&mut text, name),
                Segment::Elements => text.push_str("[]"),
                Segment::Values => text.push_str("[*]"),
            }
        }
        text
    }

    /// Returns the enclosing list or map, which has no path.
    pub(super) fn container(&self) -> Option<&'static str> {
        self.segments.iter().find_map(|segment| match segment {
            Segment::Property(_) => None,
            Segment::Elements => Some("a list"),
            Segment::Values => Some("a map"),
        })
    }

    /// Returns the path for printer columns, or `None` if a name cannot be written.
    pub(super) fn column(&self) -> Option<String> {
        let names = self.names()?;
        names
            .iter()
            .all(|name| is_quotable(name))
            .then(|| self.display())
    }

    /// Returns the dotted path, or `None` if a name cannot be written.
    pub(super) fn dotted(&self) -> Option<String> {
        let names = self.names()?;
        names
            .iter()
            .all(|name| is_plain(name))
            .then(|| self.display())
    }

    fn names(&self) -> Option<Vec<&str>> {
        self.segments
            .iter()
            .map(|segment| match segment {
                Segment::Property(name) => Some(name.as_str()),
                Segment::Elements | Segment::Values => None,
            })
            .collect()
    }
}

fn property(text: &mut String, name: &str) {
    if is_plain(name) {
        text.push('.');
        text.push_str(name);
    } else {
        text.push_str("['");
        text.push_str(&name.replace('.', "\\."));
        text.push_str("']");
    }
}

/// Returns whether a name can follow a dot in the API server's parsers.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | ':'))
}

/// Returns whether a name can be quoted in `['...']`. Dots are escaped, because the parser puts the name after a dot.
fn is_quotable(name: &str) -> bool {
    is_plain(&name.replace('.', "_"))
}
