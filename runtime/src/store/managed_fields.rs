//! Leaves out of the cache what nobody reads.
//!
//! `metadata.managedFields` is often a third of an object. Server-side apply compares with the fields of its own manager, so those
//! may be kept.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;

/// Drops the managed fields of all but this manager.
pub(super) fn trim(meta: &mut ObjectMeta, keep: Option<&str>) {
    let Some(mut entries) = meta.managed_fields.take() else {
        return;
    };
    entries.retain(|entry| keep.is_some() && entry.manager.as_deref() == keep);
    if !entries.is_empty() {
        entries.shrink_to_fit();
        meta.managed_fields = Some(entries);
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::apimachinery::pkg::apis::meta::v1::ManagedFieldsEntry;

    use super::*;

    fn managed_by(managers: &[&str]) -> ObjectMeta {
        let entry = |manager: &&str| ManagedFieldsEntry {
            manager: Some((*manager).into()),
            ..ManagedFieldsEntry::default()
        };
        ObjectMeta {
            managed_fields: Some(managers.iter().map(entry).collect()),
            ..ObjectMeta::default()
        }
    }

    #[test]
    fn only_the_fields_of_the_named_manager_are_kept() {
        let mut meta = managed_by(&["kubectl", "shop-operator", "kube-controller-manager"]);
        trim(&mut meta, Some("shop-operator"));
        assert_eq!(meta, managed_by(&["shop-operator"]));
    }

    #[test]
    fn nothing_is_kept_when_no_manager_is_named_or_it_manages_nothing() {
        for keep in [None, Some("shop-operator")] {
            let mut meta = managed_by(&["kubectl"]);
            trim(&mut meta, keep);
            assert_eq!(meta.managed_fields, None);
        }
    }
}
