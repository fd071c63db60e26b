//! `cel`: CEL validation rules on fields and types.

/// Desired state.
#[kb::resource(
    group = "example.com",
    version = "v1",
    kind = "CelCase",
    cel("self.metadata.name.size() < 20", message = "a short name")
)]
pub struct CelCaseSpec {
    /// Rule with all arguments.
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
    /// Rules of the field, followed by those of the type.
    #[kb(cel("self != 'x'"), example = "red")]
    pub code: Ruled,
    /// Rule on an enum.
    pub kind: RuledChoice,
    /// Rule on a flattened field, which applies to the parent.
    #[kb(cel("has(self.flat)"))]
    #[serde(flatten)]
    pub more: More,
}

/// Name.
#[kb::object]
pub struct Named {
    /// Name.
    pub name: String,
}

/// String with a rule.
#[kb::object]
#[kb(cel("self.startsWith('r')"))]
pub struct Ruled(pub String);

/// Enum with a rule.
#[kb::object]
#[kb(cel(
    "self != 'Old' || oldSelf == 'Old'",
    message = "Old is not for new objects"
))]
pub enum RuledChoice {
    Old,
    New,
}

/// Flattened fields.
#[kb::object]
pub struct More {
    /// Flattened field.
    pub flat: Option<i32>,
}
