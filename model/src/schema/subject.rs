//! The value that a mark applies to, for messages.
//!
//! A mark inside of `items(...)` applies to an element, but is written on the field: messages name the element, positions point to the field.

/// A value and its enclosing marks.
#[derive(Clone, Debug)]
pub(super) struct Subject {
    /// Description of the value: "`replicas`", "an element of `names`".
    pub(super) what: String,
    /// Enclosing marks: `items`, `values`.
    within: Vec<&'static str>,
}

impl Subject {
    /// Creates the subject of a field, type or kind.
    pub(super) fn named(name: &str) -> Self {
        Self {
            what: format!("`{name}`"),
            within: Vec::new(),
        }
    }

    /// Creates the subject of list elements or map values.
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

    /// Formats a mark as written: "`items(minimum)`".
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

    /// Returns the outermost mark, which is written on the field or type.
    pub(super) fn mark<'m>(&self, mark: &'m str) -> &'m str {
        self.within.first().copied().unwrap_or(mark)
    }
}
