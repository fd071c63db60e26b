//! `schemaless`: the type is not looked at; what markers say is all.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "SchemalessCase")]
pub struct SchemalessCaseSpec {
    /// Anything.
    #[kb(schemaless, preserve_unknown_fields)]
    pub values: kb::serde_json::Value,
}
