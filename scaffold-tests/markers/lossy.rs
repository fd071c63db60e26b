//! `lossy`: accepts that other versions of the kind lose the field. Without it, `kb-rs generate` rejects such versions.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "LossyCase")]
pub struct LossyCaseSpec {
    /// Hint that only exists in this version.
    #[kb(lossy = "a hint for the scheduler, not needed to run")]
    pub hint: Option<String>,
}
