//! How an object is named in logs.

use std::fmt;

use kube::runtime::reflector::{Lookup, ObjectRef};

/// `namespace/name`, or the name alone of what is in no namespace. It is formatted only when a log line is written.
pub(crate) struct ObjectName<'a, K: Lookup>(pub(crate) &'a ObjectRef<K>);

impl<K: Lookup> fmt::Display for ObjectName<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(namespace) = &self.0.namespace {
            write!(f, "{namespace}/")?;
        }
        f.write_str(&self.0.name)
    }
}
