//! A row of a table: a field with markers, and values that the API server accepts, rejects or changes.

use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::api_server::ApiServer;

/// A field below `spec` with its cases.
pub(crate) struct Row {
    /// The markers under test.
    pub(crate) markers: &'static [&'static str],
    resource: &'static str,
    kind: &'static str,
    /// Path of the field, with dots; empty for `spec`.
    path: &'static str,
    cases: Vec<Case>,
}

enum Case {
    Accepted(Value),
    Rejected(Value, &'static str),
    Stored(Value, Value),
    Updated(Value, Value),
    Immutable(Value, Value, &'static str),
}

/// Returns a row for a field of `Validated`.
pub(crate) fn row(markers: &'static [&'static str], path: &'static str) -> Row {
    Row::of("validateds", "Validated", markers, path)
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

    /// Expects a value to be accepted and stored unchanged.
    pub(crate) fn accepts(self, value: impl Into<Value>) -> Self {
        self.with(Case::Accepted(value.into()))
    }

    /// Expects a value to be rejected. The message contains the field and this text.
    pub(crate) fn rejects(self, value: impl Into<Value>, text: &'static str) -> Self {
        self.with(Case::Rejected(value.into(), text))
    }

    /// Expects a value to be stored as another one.
    pub(crate) fn stores(self, given: Value, stored: Value) -> Self {
        self.with(Case::Stored(given, stored))
    }

    /// Expects an update to be accepted; null removes the value.
    pub(crate) fn accepts_update(self, from: impl Into<Value>, to: impl Into<Value>) -> Self {
        self.with(Case::Updated(from.into(), to.into()))
    }

    /// Expects an update to be rejected. The message contains the field and this text.
    pub(crate) fn rejects_update(
        self,
        from: impl Into<Value>,
        to: impl Into<Value>,
        text: &'static str,
    ) -> Self {
        self.with(Case::Immutable(from.into(), to.into(), text))
    }

    /// Returns whether a case is accepted.
    pub(crate) fn has_accepted(&self) -> bool {
        self.cases.iter().any(|case| !case.is_rejection())
    }

    /// Returns whether a case is rejected.
    pub(crate) fn has_rejected(&self) -> bool {
        self.cases.iter().any(Case::is_rejection)
    }

    /// Runs all cases. Returns the failures.
    async fn failures(&self, server: &ApiServer) -> Vec<String> {
        let mut failures = Vec::new();
        for case in &self.cases {
            let failure = match case {
                Case::Accepted(value) => self.check_stored(server, value, value).await,
                Case::Stored(given, stored) => self.check_stored(server, given, stored).await,
                Case::Rejected(value, text) => {
                    let object = self.object("dry-run", value);
                    let response = server.create(&self.list("?dryRun=All"), &object).await;
                    self.check_rejected(response.code_and_message(), text)
                }
                Case::Updated(from, to) => {
                    let (code, message) = self.update(server, from, to).await;
                    (code != 200).then_some(message)
                }
                Case::Immutable(from, to, text) => {
                    self.check_rejected(self.update(server, from, to).await, text)
                }
            };
            let case = case.title();
            failures.extend(failure.map(|failure| format!("{} {case}: {failure}", self.field())));
        }
        failures
    }

    async fn check_stored(
        &self,
        server: &ApiServer,
        given: &Value,
        expected: &Value,
    ) -> Option<String> {
        let object = self.object("dry-run", given);
        let response = server.create(&self.list("?dryRun=All"), &object).await;
        if !response.is_success() {
            return Some(response.message().to_owned());
        }
        let pointer = format!("/{}", self.field().replace('.', "/"));
        let found = response.body.pointer(&pointer);
        (found != Some(expected)).then(|| format!("stored as {found:?}"))
    }

    fn check_rejected(&self, (code, message): (u16, String), text: &str) -> Option<String> {
        let is_expected = code == 422 && message.contains(&self.field()) && message.contains(text);
        (!is_expected).then(|| format!("{code} {message:?}, expected {text:?}"))
    }

    /// Updates a value. Returns the status and the message.
    async fn update(&self, server: &ApiServer, from: &Value, to: &Value) -> (u16, String) {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let name = format!("updated-{}", COUNT.fetch_add(1, Ordering::Relaxed));
        let created = server
            .create(&self.list(""), &self.object(&name, from))
            .await;
        if !created.is_success() {
            return created.code_and_message();
        }
        let change = json!({"spec": self.object(&name, to)["spec"]});
        let path = self.list(&format!("/{name}?dryRun=All"));
        server.merge(&path, &change).await.code_and_message()
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
    fn is_rejection(&self) -> bool {
        matches!(self, Self::Rejected(..) | Self::Immutable(..))
    }

    fn title(&self) -> String {
        match self {
            Self::Accepted(value) => format!("should accept {value}"),
            Self::Rejected(value, _) => format!("should reject {value}"),
            Self::Stored(given, stored) => format!("should store {given} as {stored}"),
            Self::Updated(from, to) => format!("should accept the update from {from} to {to}"),
            Self::Immutable(from, to, _) => format!("should reject the update from {from} to {to}"),
        }
    }
}

/// Checks a table on the API server.
pub(crate) async fn check(rows: Vec<Row>) {
    let Some(server) = ApiServer::new().await else {
        return;
    };
    let mut failures = Vec::new();
    for row in &rows {
        failures.extend(row.failures(&server).await);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
