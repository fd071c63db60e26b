//! Owner references, and the check that an existing object may be updated.
//!
//! An object may be updated if its controller is the owner, or if it has no controller and either references the owner or was applied by
//! our field manager (its owner was deleted with `--cascade=orphan` and recreated). All other objects are rejected. Users can hand over an
//! object by adding the owner reference.

use std::fmt;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::OwnerReference;
use kube::{Resource, ResourceExt, runtime::reflector::ObjectRef};

use super::ApplyError;
use crate::store::is_namespaced;

/// The owner of applied objects, usually the reconciled object.
///
/// Applied objects get a controller owner reference with `blockOwnerDeletion`: they are garbage-collected with the owner. On clusters with
/// the admission plugin `OwnerReferencesPermissionEnforcement`, this requires the verb `update` on `<plural>/finalizers` of the owner.
#[derive(Clone, Debug)]
pub struct Owner {
    reference: OwnerReference,
    namespace: Option<String>,
    /// Formats kind, name and namespace when needed.
    title: fn(&str, Option<&str>) -> String,
}

impl Owner {
    /// Creates the owner from the reconciled object.
    ///
    /// # Errors
    ///
    /// Returns [`ApplyError::MissingOwnerUid`] if the object has no name or UID, because it was not read from the API server.
    pub fn of<K: Resource<DynamicType = ()>>(object: &K) -> Result<Self, ApplyError> {
        let Some(reference) = object.controller_owner_ref(&()) else {
            let owner = title(object);
            return Err(ApplyError::MissingOwnerUid { owner });
        };
        Ok(Self {
            reference: OwnerReference {
                block_owner_deletion: Some(true),
                ..reference
            },
            namespace: object.namespace(),
            title: title_of::<K>,
        })
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// Returns the UID of the owner, for [`Store::owned_by`](crate::store::Store::owned_by).
    pub fn uid(&self) -> &str {
        &self.reference.uid
    }

    /// Sets the owner reference, and the namespace if there is none.
    pub(super) fn set_on<C>(&self, object: &mut C) -> Result<(), ApplyError>
    where
        C: Resource<DynamicType = ()> + 'static,
    {
        if let Some(namespace) = &self.namespace {
            let is_allowed =
                is_namespaced::<C>() && object.namespace().is_none_or(|own| own == *namespace);
            if !is_allowed {
                return Err(ApplyError::CrossNamespaceOwner {
                    object: title(object),
                    owner: self.to_string(),
                });
            }
            object.meta_mut().namespace = Some(namespace.clone());
        }
        let references = object.owner_references_mut();
        references.retain(|reference| reference.uid != self.reference.uid);
        references.push(self.reference.clone());
        Ok(())
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let title = (self.title)(&self.reference.name, self.namespace());
        f.write_str(&title)
    }
}

/// Returns kind, name and namespace, formatted like kube's `ObjectRef`.
pub(super) fn title<K: Resource<DynamicType = ()>>(object: &K) -> String {
    // `ObjectRef::from_obj` panics without a name.
    title_of::<K>(&object.name_any(), object.meta().namespace.as_deref())
}

pub(super) fn title_of<K: Resource<DynamicType = ()>>(
    name: &str,
    namespace: Option<&str>,
) -> String {
    let mut reference = ObjectRef::<K>::new(name);
    reference.namespace = namespace.map(String::from);
    reference.to_string()
}

/// Returns whether the owner is the controller of the object.
pub(super) fn controls(owner: &Owner, object: &impl ResourceExt) -> bool {
    controller(object).is_some_and(|controller| controller.uid == owner.uid())
}

/// Returns an error if an existing object must not be updated.
pub(super) fn check_ownership<C>(
    owner: Option<&Owner>,
    manager: &str,
    object: &C,
) -> Result<(), ApplyError>
where
    C: Resource<DynamicType = ()>,
{
    let owner_title = || owner.map_or_else(|| format!("`{manager}`"), Owner::to_string);
    match (controller(object), owner) {
        (Some(controller), Some(owner)) if controller.uid == owner.uid() => Ok(()),
        (Some(other), _) => Err(ApplyError::AlreadyOwned {
            object: title(object),
            owner: owner_title(),
            other: format!("{} {} (uid {})", other.kind, other.name, other.uid),
        }),
        (None, Some(owner))
            if object
                .owner_references()
                .iter()
                .any(|found| found.uid == owner.uid()) =>
        {
            Ok(())
        }
        (None, owner) if was_applied_by(manager, object) => {
            if let Some(owner) = owner {
                tracing::info!(object = title(object), %owner, "adopting orphaned object");
            }
            Ok(())
        }
        (None, _) => Err(ApplyError::AlreadyExists {
            object: title(object),
            owner: owner_title(),
            manager: manager.to_owned(),
        }),
    }
}

fn controller(object: &impl ResourceExt) -> Option<&OwnerReference> {
    let references = object.owner_references();
    references
        .iter()
        .find(|reference| reference.controller == Some(true))
}

fn was_applied_by(manager: &str, object: &impl ResourceExt) -> bool {
    object.managed_fields().iter().any(|entry| {
        entry.manager.as_deref() == Some(manager) && entry.operation.as_deref() == Some("Apply")
    })
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::{
        core::v1::{ConfigMap, Namespace},
        rbac::v1::ClusterRole,
    };
    use serde_json::json;

    use super::*;

    fn config_map(metadata: &serde_json::Value) -> ConfigMap {
        serde_json::from_value(json!({ "metadata": metadata })).unwrap()
    }

    fn namespaced() -> Owner {
        Owner::of(&config_map(
            &json!({"name": "shop", "namespace": "prod", "uid": "u1"}),
        ))
        .unwrap()
    }

    fn cluster_scoped() -> Owner {
        let namespace: Namespace =
            serde_json::from_value(json!({"metadata": {"name": "n", "uid": "u2"}})).unwrap();
        Owner::of(&namespace).unwrap()
    }

    #[test]
    fn sets_a_controller_reference_that_blocks_owner_deletion() {
        let mut object = config_map(&json!({"name": "child"}));
        namespaced().set_on(&mut object).unwrap();
        namespaced().set_on(&mut object).unwrap();
        let expected = json!([{
            "apiVersion": "v1", "kind": "ConfigMap", "name": "shop", "uid": "u1", "controller": true, "blockOwnerDeletion": true,
        }]);
        assert_eq!(
            serde_json::to_value(object.owner_references()).unwrap(),
            expected
        );
        assert_eq!(object.namespace().as_deref(), Some("prod"), "defaulted");
    }

    #[test]
    fn an_owner_requires_a_uid() {
        let error = Owner::of(&config_map(&json!({"name": "shop"}))).unwrap_err();
        assert!(
            matches!(error, ApplyError::MissingOwnerUid { .. }),
            "{error}"
        );
    }

    #[test]
    fn a_namespaced_owner_can_only_own_objects_in_its_namespace() {
        let mut other = config_map(&json!({"name": "child", "namespace": "test"}));
        let error = namespaced().set_on(&mut other).unwrap_err();
        assert!(matches!(error, ApplyError::CrossNamespaceOwner { .. }));

        let error = namespaced()
            .set_on(&mut ClusterRole::default())
            .unwrap_err();
        assert!(matches!(error, ApplyError::CrossNamespaceOwner { .. }));

        cluster_scoped().set_on(&mut other).unwrap();
        assert_eq!(other.namespace().as_deref(), Some("test"));
        cluster_scoped()
            .set_on(&mut ClusterRole::default())
            .unwrap();
    }

    #[test]
    fn only_objects_of_the_owner_may_be_updated() {
        let reference = |uid: &str, controller: bool| json!({"apiVersion": "v1", "kind": "Shop", "name": "x", "uid": uid, "controller": controller});
        let applied =
            |manager: &str, operation: &str| json!({"manager": manager, "operation": operation});
        let check = |owners: serde_json::Value, managers: serde_json::Value| {
            let object = config_map(
                &json!({"name": "child", "ownerReferences": owners, "managedFields": managers}),
            );
            match check_ownership(Some(&namespaced()), "op", &object) {
                Ok(()) => "ok",
                Err(ApplyError::AlreadyOwned { other, .. }) if other == "Shop x (uid u9)" => {
                    "AlreadyOwned"
                }
                Err(ApplyError::AlreadyExists { .. }) => "AlreadyExists",
                Err(error) => panic!("{error}"),
            }
        };
        let none = || json!([]);
        assert_eq!(check(json!([reference("u1", true)]), none()), "ok");
        assert_eq!(
            check(
                json!([reference("u9", false), reference("u1", true)]),
                none()
            ),
            "ok"
        );
        assert_eq!(
            check(
                json!([reference("u9", true)]),
                json!([applied("op", "Apply")])
            ),
            "AlreadyOwned"
        );
        assert_eq!(
            check(
                json!([reference("u1", false), reference("u9", true)]),
                none()
            ),
            "AlreadyOwned"
        );
        assert_eq!(
            check(json!([reference("u1", false)]), none()),
            "ok",
            "handed over by a user"
        );
        assert_eq!(
            check(none(), json!([applied("op", "Apply")])),
            "ok",
            "orphaned"
        );
        assert_eq!(
            check(none(), json!([applied("op", "Update")])),
            "AlreadyExists"
        );
        assert_eq!(
            check(none(), json!([applied("kubectl", "Apply")])),
            "AlreadyExists"
        );
        assert_eq!(check(none(), none()), "AlreadyExists");
    }
}
