//! An enum with data: exactly one of its variants is set.

/// What is asked for.
#[kb::resource(group = "example.com", version = "v1", kind = "UnionCase")]
pub struct UnionCaseSpec {
    /// Where it is stored.
    pub storage: Storage,
}

/// A place.
#[kb::object]
pub enum Storage {
    /// In memory.
    Memory {},
    /// On a disk.
    LocalDisk {
        /// The folder.
        mount_path: String,
    },
    /// In a bucket.
    Bucket(Bucket),
}

/// A bucket.
#[kb::object]
pub struct Bucket {
    /// Its name.
    pub name: String,
}
