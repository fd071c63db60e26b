//! `selectable`: a field that objects can be selected by.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "SelectableCase")]
pub struct SelectableCaseSpec {
    /// A colour.
    #[kb(selectable)]
    pub color: String,
}
