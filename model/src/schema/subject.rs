//! What a mark stands on, for messages.
//!
//! A mark inside `items(...)` is about an element, but it is written on the field: messages name the one, and the place of
//! the problem the other.

/// A value and how its marks are written.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// The value: "`replicas`", "an element of `names`".
    pub(super) what: String,
    /// The marks that the mark is written inside of: `items`, `values`.
    within: Vec<&'static str>,
}

impl Subject {
    /// A field, a type or a kind.
    pub(super) fn named(name: &str) -> Self {
        Self {
            what: format!("`{name}`"),
            within: Vec::new(),
        }
    }

    /// The elements of a list, or the values of a map.
    pub(super) fn inner(&self, within: &'static str) -> Self {
        let part = if within == "items" {
            "an element"
        } else {
            "a value"
        };
        let mut path = self.within.clone();
        path.push(within);
        Self {
            what: format!("{part} of {}", self.what),
            within: path,
        }
    }

    /// The mark as it is written: "`items(minimum)`".
    pub(super) fn label(&self, mark: &str) -> String {
        let mut label = "`".to_owned();
        for outer in &self.within {
            label.push_str(outer);
            label.push('(');
        }
        label.push_str(mark);
        label.push_str(&")".repeat(self.within.len()));
        label + "`"
    }

    /// The mark that stands on the field or type itself.
    pub(super) fn mark<'m>(&self, mark: &'m str) -> &'m str {
        self.within.first().copied().unwrap_or(mark)
    }
}
