//! `selectable`: field for field selectors.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "SelectableCase")]
pub struct SelectableCaseSpec {
    /// Color.
    #[kb(selectable)]
    pub color: String,
}
