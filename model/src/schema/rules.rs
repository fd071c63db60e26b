//! CEL rules: the user's, and those derived from marks.
//!
//! Rules are not compiled here. Reports what the API server rejects without compiling: empty rules, multi-line messages, inaccessible old values,
//! values without type.

use serde_json::{Map, Value, json};

use super::builder::Builder;
use super::cel::{cel_name, is_visible};
use super::node::{Keywords, VALIDATIONS};
use super::subject::Subject;
use crate::api::{Marks, OneOf, OneOfKind, Rule};

impl Builder<'_> {
    /// Returns the rules derived from marks, in order.
    pub(super) fn rules_from_marks(
        &mut self,
        marks: &Marks,
        keywords: &Keywords,
        subject: &Subject,
    ) -> Vec<Value> {
        let mut rules = Vec::new();
        if !marks.rules.is_empty() && !is_visible(keywords) {
            self.not_visible("cel", subject);
        }
        for rule in &marks.rules {
            self.check_rule(rule, keywords, subject);
            rules.push(to_json(rule));
        }
        let mut one_of: Vec<&OneOf> = marks.one_of.iter().collect();
        one_of.sort_by_key(|one_of| one_of.kind);
        for one_of in one_of {
            rules.extend(self.one_of(one_of, keywords, subject));
        }
        rules
    }

    fn check_rule(&mut self, rule: &Rule, keywords: &Keywords, subject: &Subject) {
        let breaks = |text: &str| text.trim().contains(['\n', '\r']);
        let message = rule.message.as_deref();
        let rejection = if rule.rule.trim().is_empty() {
            Some("has no rule")
        } else if message.is_some_and(|text| text.trim().is_empty()) {
            Some("has an empty message")
        } else if message.is_some_and(breaks) {
            Some("has a multi-line message, which the API server rejects")
        } else if breaks(&rule.rule) && message.is_none() {
            Some("has a multi-line rule, which requires a message")
        } else {
            None
        };
        if let Some(rejection) = rejection {
            let message = format!("{} on {} {rejection}", subject.label("cel"), subject.what);
            self.problem(Some(subject.mark("cel")), message, None);
        }
        if let Some(hidden) = self.uncorrelated
            && uses_old_self(&rule.rule)
        {
            self.no_old_value("cel", hidden, subject);
        }
        if let Some(path) = &rule.field_path
            && !super::lookup::is_field_path(keywords, path)
        {
            let message = format!(
                "`field_path = \"{path}\"` refers to an unknown field of {}",
                subject.what
            );
            let help =
                "use a path relative to the validated value, such as `.spec.replicas`".to_owned();
            self.problem(Some(subject.mark("cel")), message, Some(help));
        }
    }

    /// Reports a rule on a value whose old value is inaccessible.
    pub(super) fn no_old_value(&mut self, mark: &str, hidden: &str, subject: &Subject) {
        let message = format!(
            "{} on {} uses the old value, which is not available inside {hidden}",
            subject.label(mark),
            subject.what
        );
        let help = "add `list_map_key` to the list, or move the rule to the whole list or object";
        self.problem(Some(subject.mark(mark)), message, Some(help.to_owned()));
    }

    /// Reports a rule on a value that rules cannot access.
    pub(super) fn not_visible(&mut self, mark: &str, subject: &Subject) {
        let message = format!(
            "{} on {} requires a known type",
            subject.label(mark),
            subject.what
        );
        let help = "set a type: `schema_type = \"object\"`".to_owned();
        self.problem(Some(subject.mark(mark)), message, Some(help));
    }

    /// Reports a mark that needs a rule about an inaccessible name.
    pub(super) fn no_cel_name(&mut self, mark: &str, name: &str) {
        let message =
            format!("`{mark}` requires a CEL rule, but `{name}` is not a valid name in CEL");
        let help = "use only letters, digits, `_`, `-`, `.` and `/` in its name".to_owned();
        self.problem(Some(mark), message, Some(help));
    }

    fn one_of(&mut self, one_of: &OneOf, keywords: &Keywords, subject: &Subject) -> Option<Value> {
        let mark = match one_of.kind {
            OneOfKind::AtMostOne => "at_most_one_of",
            OneOfKind::ExactlyOne => "exactly_one_of",
            OneOfKind::AtLeastOne => "at_least_one_of",
        };
        let mut present = Vec::new();
        for name in &one_of.fields {
            let rejection = if !has(keywords, "properties", name) {
                Some("is not a field of")
            } else if has(keywords, "required", name) {
                Some("is required in")
            } else if !is_visible_in(keywords, name) {
                Some("has an unknown type in")
            } else {
                None
            };
            if let Some(rejection) = rejection {
                let message = format!("`{name}` in `{mark}` {rejection} {}", subject.what);
                let help = "use JSON names of optional fields".to_owned();
                self.problem(Some(mark), message, Some(help));
            }
            match cel_name(name) {
                Some(escaped) => present.push(format!("has(self.{escaped})")),
                None => self.no_cel_name(mark, name),
            }
        }
        if present.is_empty() {
            return None;
        }
        let sum = || {
            let terms: Vec<String> = present.iter().map(|has| format!("({has}?1:0)")).collect();
            terms.join("+")
        };
        let names = one_of.fields.join(" ");
        let (rule, message) = match one_of.kind {
            OneOfKind::AtMostOne => (
                format!("{} <= 1", sum()),
                format!("at most one of the fields in [{names}] may be set"),
            ),
            OneOfKind::ExactlyOne => (
                format!("{} == 1", sum()),
                format!("exactly one of the fields in [{names}] must be set"),
            ),
            OneOfKind::AtLeastOne => (
                present.join("||"),
                format!("at least one of the fields in [{names}] must be set"),
            ),
        };
        Some(json!({ "rule": rule, "message": message }))
    }
}

fn has(keywords: &Keywords, keyword: &str, name: &str) -> bool {
    match keywords.get(keyword) {
        Some(Value::Object(properties)) => properties.contains_key(name),
        Some(Value::Array(names)) => names.iter().any(|one| one == name),
        _ => false,
    }
}

fn is_visible_in(keywords: &Keywords, name: &str) -> bool {
    let property = keywords.get("properties").and_then(|all| all.get(name));
    matches!(property, Some(Value::Object(property)) if is_visible(property))
}

fn uses_old_self(rule: &str) -> bool {
    rule.split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .any(|word| word == "oldSelf")
}

/// Returns the rule of an immutable field.
pub(super) fn immutable() -> Value {
    json!({ "rule": "self == oldSelf", "message": "field is immutable" })
}

/// Returns the rule for an object with an optional immutable field, which could otherwise be removed and set again.
pub(super) fn forbid_removal(name: &str) -> Option<Value> {
    let escaped = cel_name(name)?;
    Some(json!({
        "rule": format!("!has(oldSelf.{escaped}) || has(self.{escaped})"),
        "message": format!("field {name} is immutable once set"),
    }))
}

fn to_json(rule: &Rule) -> Value {
    let mut entry = Map::new();
    let mut put = |key: &str, value: Option<Value>| {
        if let Some(value) = value {
            entry.insert(key.to_owned(), value);
        }
    };
    put("rule", Some(rule.rule.as_str().into()));
    put("message", rule.message.as_deref().map(Value::from));
    put(
        "messageExpression",
        rule.message_expression.as_deref().map(Value::from),
    );
    put(
        "reason",
        rule.reason.map(|reason| format!("{reason:?}").into()),
    );
    put("fieldPath", rule.field_path.as_deref().map(Value::from));
    put("optionalOldSelf", rule.optional_old_self.map(Value::from));
    entry.into()
}

/// Appends rules.
pub(super) fn append(keywords: &mut Keywords, rules: Vec<Value>) {
    let mut all = match keywords.remove(VALIDATIONS) {
        Some(Value::Array(existing)) => existing,
        _ => Vec::new(),
    };
    for rule in rules {
        // Rules are list map keys: server-side apply rejects duplicates.
        if !all.iter().any(|known| known["rule"] == rule["rule"]) {
            all.push(rule);
        }
    }
    if !all.is_empty() {
        keywords.insert(VALIDATIONS.to_owned(), all.into());
    }
}

/// Prepends rules: outer ones come first.
pub(super) fn prepend(keywords: &mut Keywords, rules: impl Into<Value>) {
    let Value::Array(mut rules) = rules.into() else {
        return;
    };
    if let Some(Value::Array(existing)) = keywords.remove(VALIDATIONS) {
        rules.extend(existing);
    }
    append(keywords, rules);
}
