//! One row of a table: a field with its markers, and what the API server does with values of it.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::place::Place;

/// A field below `spec`, and what is tried with it.
pub(crate) struct Row {
    /// The markers that it is about.
    pub(crate) markers: &'static [&'static str],
    resource: &'static str,
    kind: &'static str,
    /// The field's path, with dots; empty for `spec` itself.
    path: &'static str,
    cases: Vec<Case>,
}

enum Case {
    Accepted(Value),
    Refused(Value, &'static str),
    Becomes(Value, Value),
    Changes(Value, Value),
    Stays(Value, Value, &'static str),
}

/// A field of the kind that has all markers.
pub(crate) fn row(markers: &'static [&'static str], path: &'static str) -> Row {
    Row::of("boundeds", "Bounded", markers, path)
}

impl Row {
    pub(crate) fn of(
        resource: &'static str,
        kind: &'static str,
        markers: &'static [&'static str],
        path: &'static str,
    ) -> Self {
        Self {
            markers,
            resource,
            kind,
            path,
            cases: Vec::new(),
        }
    }

    fn with(mut self, case: Case) -> Self {
        self.cases.push(case);
        self
    }

    /// A value that may stand there, and stays as it is.
    pub(crate) fn accepts(self, value: impl Into<Value>) -> Self {
        self.with(Case::Accepted(value.into()))
    }

    /// A value that may not stand there. The message names the field, and has these words.
    pub(crate) fn refuses(self, value: impl Into<Value>, words: &'static str) -> Self {
        self.with(Case::Refused(value.into(), words))
    }

    /// A value that the API server makes another of.
    pub(crate) fn becomes(self, given: Value, kept: Value) -> Self {
        self.with(Case::Becomes(given, kept))
    }

    /// A value that may be changed to another; null takes it away.
    pub(crate) fn changes(self, from: impl Into<Value>, to: impl Into<Value>) -> Self {
        self.with(Case::Changes(from.into(), to.into()))
    }

    /// A value that may not be changed to another. The message names the field, and has these words.
    pub(crate) fn stays(
        self,
        from: impl Into<Value>,
        to: impl Into<Value>,
        words: &'static str,
    ) -> Self {
        self.with(Case::Stays(from.into(), to.into(), words))
    }

    /// Whether a value of it passes.
    pub(crate) fn has_good(&self) -> bool {
        let is_good = |case: &Case| !case.is_refusal();
        self.cases.iter().any(is_good)
    }

    /// Whether a value of it is refused.
    pub(crate) fn has_bad(&self) -> bool {
        self.cases.iter().any(Case::is_refusal)
    }

    /// Tries all of it. Gives what is not as it should be.
    async fn failures(&self, place: &Place) -> Vec<String> {
        let mut failures = Vec::new();
        for case in &self.cases {
            let failure = match case {
                Case::Accepted(value) => self.kept(place, value, value).await,
                Case::Becomes(given, kept) => self.kept(place, given, kept).await,
                Case::Refused(value, words) => {
                    let object = self.object("tried", value);
                    let answer = place.create(&self.list("?dryRun=All"), &object).await;
                    self.refusal(answer.code_and_message(), words)
                }
                Case::Changes(from, to) => {
                    let (code, message) = self.changed(place, from, to).await;
                    (code != 200).then_some(message)
                }
                Case::Stays(from, to, words) => {
                    self.refusal(self.changed(place, from, to).await, words)
                }
            };
            let case = case.title();
            failures.extend(failure.map(|failure| format!("{} {case}: {failure}", self.field())));
        }
        failures
    }

    async fn kept(&self, place: &Place, given: &Value, kept: &Value) -> Option<String> {
        let object = self.object("tried", given);
        let answer = place.create(&self.list("?dryRun=All"), &object).await;
        if !answer.is_success() {
            return Some(answer.message().to_owned());
        }
        let pointer = format!("/{}", self.field().replace('.', "/"));
        let found = answer.body.pointer(&pointer);
        (found != Some(kept)).then(|| format!("it became {found:?}"))
    }

    fn refusal(&self, (code, message): (u16, String), words: &str) -> Option<String> {
        let is_so = code == 422 && message.contains(&self.field()) && message.contains(words);
        (!is_so).then(|| format!("{code} {message:?}, and not {words:?}"))
    }

    /// What is said to a change.
    async fn changed(&self, place: &Place, from: &Value, to: &Value) -> (u16, String) {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("changed-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let created = place
            .create(&self.list(""), &self.object(&name, from))
            .await;
        if !created.is_success() {
            return created.code_and_message();
        }
        let change = json!({"spec": self.object(&name, to)["spec"]});
        let path = self.list(&format!("/{name}?dryRun=All"));
        place.change(&path, &change).await.code_and_message()
    }

    fn list(&self, rest: &str) -> String {
        let resource = self.resource;
        format!("/apis/schemas.example.com/v1/namespaces/default/{resource}{rest}")
    }

    fn field(&self) -> String {
        ["spec", self.path]
            .join(".")
            .trim_end_matches('.')
            .to_owned()
    }

    fn object(&self, name: &str, value: &Value) -> Value {
        let fields = self.path.split('.').filter(|field| !field.is_empty());
        let spec = fields
            .rev()
            .fold(value.clone(), |inside, field| json!({field: inside}));
        json!({
            "apiVersion": "schemas.example.com/v1", "kind": self.kind, "metadata": {"name": name}, "spec": spec,
        })
    }
}

impl Case {
    fn is_refusal(&self) -> bool {
        matches!(self, Self::Refused(..) | Self::Stays(..))
    }

    fn title(&self) -> String {
        match self {
            Self::Accepted(value) => format!("should accept {value}"),
            Self::Refused(value, _) => format!("should refuse {value}"),
            Self::Becomes(given, kept) => format!("should make {kept} of {given}"),
            Self::Changes(from, to) => format!("should change from {from} to {to}"),
            Self::Stays(from, to, _) => format!("should not change from {from} to {to}"),
        }
    }
}

/// Tries a table on the API server.
pub(crate) async fn check(rows: Vec<Row>) {
    let Some(place) = Place::new().await else {
        return;
    };
    let mut failures = Vec::new();
    for row in &rows {
        failures.extend(row.failures(&place).await);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
