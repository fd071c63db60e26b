//! Leaves out of the cache what nobody reads, and makes small what is seldom read.
//!
//! `metadata.managedFields` is often a third of an object, and as a tree of JSON values far more than the rest of it. Server-side apply
//! compares with what its own manager has applied, so those entries may be kept: as text, which is a tenth of the tree.

use std::borrow::Cow;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
use serde_json::Value;

/// Drops the managed fields of all but the applies of this manager, and packs those.
pub(super) fn trim(meta: &mut ObjectMeta, keep: Option<&str>) {
    let Some(mut entries) = meta.managed_fields.take() else {
        return;
    };
    entries.retain(|entry| {
        keep.is_some() && entry.manager.as_deref() == keep && is_of_the_whole(entry)
    });
    if entries.is_empty() {
        return;
    }
    for entry in &mut entries {
        // It is always the same.
        entry.fields_type = None;
        if let Some(fields) = &mut entry.fields_v1 {
            fields.0 = Value::String(fields.0.to_string());
        }
    }
    entries.shrink_to_fit();
    meta.managed_fields = Some(entries);
}

/// Whether an entry is of an apply, and not of one to the status or another subresource.
pub(crate) fn is_of_the_whole(entry: &ManagedFieldsEntry) -> bool {
    entry.operation.as_deref() == Some("Apply")
        && entry.subresource.as_deref().is_none_or(str::is_empty)
}

/// The fields of an entry, whether it comes from the cache or from the API server. None, if it cannot be read.
pub(crate) fn fields(packed: &FieldsV1) -> Option<Cow<'_, Value>> {
    match &packed.0 {
        Value::String(text) => serde_json::from_str(text).ok().map(Cow::Owned),
        fields => Some(Cow::Borrowed(fields)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn entry(manager: &str, operation: &str, subresource: Option<&str>) -> ManagedFieldsEntry {
        ManagedFieldsEntry {
            manager: Some(manager.into()),
            operation: Some(operation.into()),
            subresource: subresource.map(Into::into),
            fields_v1: Some(FieldsV1(json!({"f:data": {"f:motto": {}}}))),
            ..ManagedFieldsEntry::default()
        }
    }

    fn trimmed(entries: Vec<ManagedFieldsEntry>, keep: Option<&str>) -> Vec<ManagedFieldsEntry> {
        let mut meta = ObjectMeta {
            managed_fields: Some(entries),
            ..ObjectMeta::default()
        };
        trim(&mut meta, keep);
        meta.managed_fields.unwrap_or_default()
    }

    #[test]
    fn only_what_the_named_manager_applied_is_kept_and_can_be_read() {
        let entries = vec![
            entry("kubectl", "Apply", None),
            entry("shop-operator", "Update", None),
            entry("shop-operator", "Apply", Some("status")),
            entry("shop-operator", "Apply", None),
        ];
        let kept = trimmed(entries, Some("shop-operator"));
        assert_eq!(kept.len(), 1);
        assert!(is_of_the_whole(&kept[0]));
        let packed = kept[0].fields_v1.as_ref().unwrap();
        assert!(packed.0.is_string());
        let expected = json!({"f:data": {"f:motto": {}}});
        assert_eq!(fields(packed).as_deref(), Some(&expected));
        assert_eq!(
            fields(&FieldsV1(expected.clone())).as_deref(),
            Some(&expected)
        );
    }

    #[test]
    fn nothing_is_kept_when_no_manager_is_named_or_it_manages_nothing() {
        for keep in [None, Some("shop-operator")] {
            let entries = vec![entry("kubectl", "Apply", None)];
            assert_eq!(trimmed(entries, keep), []);
        }
    }
}
