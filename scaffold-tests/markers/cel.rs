//! `cel`: rules in the Common Expression Language, on fields and types.

/// What is asked for.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "CelCase",
    cel("self.metadata.name.size() < 20", message = "a short name")
)]
pub struct CelCaseSpec {
    /// All that a rule can say.
    #[kb(cel(
        rule = "self.name.size() >= oldSelf.name.size()",
        message = "it grows",
        message_expression = "'it grows from ' + oldSelf.name",
        reason = "FieldValueInvalid",
        field_path = ".name",
        optional_old_self = false
    ))]
    pub name: Named,
    /// Two rules, in order.
    #[kb(cel("self != 'a'"), cel("self != 'b'", message = "not b"))]
    pub letter: String,
    /// The rules of the field, then those of the type.
    #[kb(cel("self != 'x'"), example = "red")]
    pub code: Ruled,
    /// On an enum.
    pub kind: RuledChoice,
    /// On what is flattened: a rule of the whole.
    #[kb(cel("has(self.flat)"))]
    #[serde(flatten)]
    pub more: More,
}

/// A name.
#[kb::object]
pub struct Named {
    /// The name.
    pub name: String,
}

/// A text with a rule.
#[kb::object]
#[kb(cel("self.startsWith('r')"))]
pub struct Ruled(pub String);

/// A choice with a rule.
#[kb::object]
#[kb(cel(
    "self != 'Old' || oldSelf == 'Old'",
    message = "Old is not for new objects"
))]
pub enum RuledChoice {
    Old,
    New,
}

/// Flattened.
#[kb::object]
pub struct More {
    /// A field of its own.
    pub flat: Option<i32>,
}
