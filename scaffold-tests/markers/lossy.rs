//! `lossy`: a field that objects may lose in another version of the kind, with the reason. Without it `kb-rs generate` refuses such versions.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "LossyCase")]
pub struct LossyCaseSpec {
    /// A hint that only this version has.
    #[kb(lossy = "a hint for the scheduler, not needed to run")]
    pub hint: Option<String>,
}
