//! Who owns an object, and whom it may be taken from.
//!
//! An object is ours if its controller is our owner, or if it has no controller and either names our owner or was applied by our
//! field manager (its owner was deleted with `--cascade=orphan` and made again). Everything else belongs to somebody: it is
//! refused. Whoever wants to hand over an object of his own adds the owner reference to it.

use std::{any::TypeId, fmt};

use k8s_openapi::{ClusterResourceScope, apimachinery::pkg::apis::meta::v1::OwnerReference};
use kube::{Resource, ResourceExt, runtime::reflector::ObjectRef};

use super::ApplyError;

/// The object in whose name others are made, mostly the one that is reconciled.
///
/// It becomes the controller of what is applied for it, and its deletion in the foreground waits for them (`blockOwnerDeletion`).
/// Where the cluster enforces permissions of owner references, this needs `update` on `<plural>/finalizers` of the owner's kind.
#[derive(Clone, Debug)]
pub struct Owner {
    reference: OwnerReference,
    namespace: Option<String>,
    /// Of its name and namespace: it is made only where it is said.
    title: fn(&str, Option<&str>) -> String,
}

impl Owner {
    /// The owner that an object is, to be made once in a reconcile.
    ///
    /// # Errors
    ///
    /// If the object has no uid, because it was not read from the API server.
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
            title: titled::<K>,
        })
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    pub(super) fn uid(&self) -> &str {
        &self.reference.uid
    }

    /// Puts the reference, and the namespace where there is none, into an object.
    pub(super) fn put_into<C>(&self, object: &mut C) -> Result<(), ApplyError>
    where
        C: Resource<DynamicType = ()> + 'static,
    {
        if let Some(namespace) = &self.namespace {
            let fits =
                is_namespaced::<C>() && object.namespace().is_none_or(|own| own == *namespace);
            if !fits {
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

/// Kind, name and namespace, as kube writes them in logs.
pub(super) fn title<K: Resource<DynamicType = ()>>(object: &K) -> String {
    // Not `from_obj`, which panics without a name.
    titled::<K>(&object.name_any(), object.meta().namespace.as_deref())
}

/// The same.
pub(super) fn titled<K: Resource<DynamicType = ()>>(name: &str, namespace: Option<&str>) -> String {
    let mut reference = ObjectRef::<K>::new(name);
    reference.namespace = namespace.map(String::from);
    reference.to_string()
}

/// By its type: an object may lack the namespace.
pub(super) fn is_namespaced<C: Resource + 'static>() -> bool {
    TypeId::of::<C::Scope>() != TypeId::of::<ClusterResourceScope>()
}

/// Whether the owner controls the object.
pub(super) fn controls(owner: &Owner, object: &impl ResourceExt) -> bool {
    controller(object).is_some_and(|controller| controller.uid == owner.uid())
}

/// Refuses an object that is somebody else's.
pub(super) fn check_ours<C>(
    owner: Option<&Owner>,
    manager: &str,
    object: &C,
) -> Result<(), ApplyError>
where
    C: Resource<DynamicType = ()>,
{
    let wanted_for = || owner.map_or_else(|| format!("`{manager}`"), Owner::to_string);
    match (controller(object), owner) {
        (Some(controller), Some(owner)) if controller.uid == owner.uid() => Ok(()),
        (Some(other), _) => Err(ApplyError::AlreadyOwned {
            object: title(object),
            owner: wanted_for(),
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
                tracing::info!(object = title(object), %owner, "an object of ours has lost its owner: adopting it");
            }
            Ok(())
        }
        (None, _) => Err(ApplyError::AlreadyExists {
            object: title(object),
            owner: wanted_for(),
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

    fn cluster_wide() -> Owner {
        let namespace: Namespace =
            serde_json::from_value(json!({"metadata": {"name": "n", "uid": "u2"}})).unwrap();
        Owner::of(&namespace).unwrap()
    }

    #[test]
    fn an_owner_controls_and_blocks_its_deletion() {
        let mut object = config_map(&json!({"name": "child"}));
        namespaced().put_into(&mut object).unwrap();
        namespaced().put_into(&mut object).unwrap();
        let expected = json!([{
            "apiVersion": "v1", "kind": "ConfigMap", "name": "shop", "uid": "u1", "controller": true, "blockOwnerDeletion": true,
        }]);
        assert_eq!(
            serde_json::to_value(object.owner_references()).unwrap(),
            expected
        );
        assert_eq!(object.namespace().as_deref(), Some("prod"), "filled in");
    }

    #[test]
    fn an_owner_without_uid_is_refused() {
        let error = Owner::of(&config_map(&json!({"name": "shop"}))).unwrap_err();
        assert!(error.to_string().contains("has no uid"), "{error}");
    }

    #[test]
    fn a_namespaced_owner_owns_only_in_its_namespace() {
        let mut elsewhere = config_map(&json!({"name": "child", "namespace": "test"}));
        let error = namespaced().put_into(&mut elsewhere).unwrap_err();
        assert!(matches!(error, ApplyError::CrossNamespaceOwner { .. }));
        assert!(
            error.to_string().contains("only in its own namespace"),
            "{error}"
        );

        let error = namespaced()
            .put_into(&mut ClusterRole::default())
            .unwrap_err();
        assert!(matches!(error, ApplyError::CrossNamespaceOwner { .. }));

        cluster_wide().put_into(&mut elsewhere).unwrap();
        assert_eq!(elsewhere.namespace().as_deref(), Some("test"));
        cluster_wide()
            .put_into(&mut ClusterRole::default())
            .unwrap();
    }

    #[test]
    fn only_what_is_ours_is_taken() {
        let reference = |uid: &str, controller: bool| json!({"apiVersion": "v1", "kind": "Shop", "name": "x", "uid": uid, "controller": controller});
        let applied =
            |manager: &str, operation: &str| json!({"manager": manager, "operation": operation});
        let check = |owners: serde_json::Value, managers: serde_json::Value| {
            let object = config_map(
                &json!({"name": "child", "ownerReferences": owners, "managedFields": managers}),
            );
            match check_ours(Some(&namespaced()), "op", &object) {
                Ok(()) => "ours",
                Err(ApplyError::AlreadyOwned { other, .. }) if other == "Shop x (uid u9)" => {
                    "another's"
                }
                Err(ApplyError::AlreadyExists { .. }) => "nobody's",
                Err(error) => panic!("{error}"),
            }
        };
        let none = || json!([]);
        assert_eq!(check(json!([reference("u1", true)]), none()), "ours");
        assert_eq!(
            check(
                json!([reference("u9", false), reference("u1", true)]),
                none()
            ),
            "ours"
        );
        assert_eq!(
            check(
                json!([reference("u9", true)]),
                json!([applied("op", "Apply")])
            ),
            "another's"
        );
        assert_eq!(
            check(
                json!([reference("u1", false), reference("u9", true)]),
                none()
            ),
            "another's"
        );
        assert_eq!(
            check(json!([reference("u1", false)]), none()),
            "ours",
            "handed over"
        );
        assert_eq!(
            check(none(), json!([applied("op", "Apply")])),
            "ours",
            "orphaned"
        );
        assert_eq!(check(none(), json!([applied("op", "Update")])), "nobody's");
        assert_eq!(
            check(none(), json!([applied("kubectl", "Apply")])),
            "nobody's"
        );
        assert_eq!(check(none(), none()), "nobody's");
    }
}
