//! Where a value is in an object, and how that is written.
//!
//! Print columns take kubectl's JSON paths, where a name may be quoted: `.spec['app.kubernetes.io/name']`. Paths of the scale
//! subresource and of selectable fields are split at dots by the API server, so such a name cannot be written in them.

/// A path from the root of an object. Values inside lists and maps have none.
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

    /// The first property: `spec` or `status`, unless the fields stand at the root.
    pub(super) fn root(&self) -> &str {
        match self.segments.first() {
            Some(Segment::Property(name)) => name,
            _ => "",
        }
    }

    /// For messages: `.spec.containers[].name`.
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

    /// What it is inside of that has no path.
    pub(super) fn container(&self) -> Option<&'static str> {
        self.segments.iter().find_map(|segment| match segment {
            Segment::Property(_) => None,
            Segment::Elements => Some("a list"),
            Segment::Values => Some("a map"),
        })
    }

    /// The path as a print column has it; none if a name cannot be written in it.
    pub(super) fn column(&self) -> Option<String> {
        let names = self.names()?;
        names
            .iter()
            .all(|name| is_quotable(name))
            .then(|| self.display())
    }

    /// The path in dots alone; none if a name cannot be written so.
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

/// Whether a name can follow a dot: the parsers of the API server stop at none of its characters.
pub(super) fn is_plain(name: &str) -> bool {
    !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '/' | ':'))
}

/// Whether a name can stand in `['...']`. Its dots are escaped, because the parser puts the name behind a dot again.
fn is_quotable(name: &str) -> bool {
    is_plain(&name.replace('.', "_"))
}
