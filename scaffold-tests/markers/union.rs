//! Enum with data: exactly one variant is set.

/// Desired state.
#[kb::resource(group = "example.com", version = "v1", kind = "UnionCase")]
pub struct UnionCaseSpec {
    /// Storage.
    pub storage: Storage,
}

/// Storage backend.
#[kb::object]
pub enum Storage {
    /// Memory.
    Memory {},
    /// Local disk.
    LocalDisk {
        /// Directory.
        mount_path: String,
    },
    /// Object storage.
    Bucket(Bucket),
}

/// Bucket.
#[kb::object]
pub struct Bucket {
    /// Bucket name.
    pub name: String,
}
