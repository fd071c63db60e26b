//! `schemaless`: ignores the type; only markers define the schema.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "SchemalessCase")]
pub struct SchemalessCaseSpec {
    /// Arbitrary JSON.
    #[kb(schemaless, preserve_unknown_fields)]
    pub values: kb::serde_json::Value,
}
