//! A restarted operator recognizes that objects of many kinds are up to date, though the API server added defaults.
//!
//! The exception, which costs one request per restart, are defaults inside atomic values, such as the protocol of a port of a
//! `NetworkPolicy`, or the mode of a volume that a `StatefulSet` claims. They could be fields of an earlier desired state.

use kb::{
    k8s_openapi::{
        NamespaceResourceScope,
        api::{
            apps::v1::{DaemonSet, StatefulSet},
            autoscaling::v2::HorizontalPodAutoscaler,
            batch::v1::{CronJob, Job},
            core::v1::{PersistentVolumeClaim, Pod, Secret, Service, ServiceAccount},
            networking::v1::{Ingress, NetworkPolicy},
            policy::v1::PodDisruptionBudget,
            rbac::v1::{Role, RoleBinding},
        },
    },
    objects::{Objects, Owner},
    store::CachedResource,
};
use kube::ResourceExt;
use serde::Serialize;
use serde_json::{Value, json};

use crate::test_namespace::{OPERATOR, TestNamespace, eventually};

/// Applies an object as one operator, and then twice as a restarted one. Returns the requests of those two.
async fn sent_after_restart<C>(
    test: &TestNamespace,
    owner: &Owner,
    desired: Value,
) -> [Vec<String>; 2]
where
    C: CachedResource<Scope = NamespaceResourceScope> + Serialize,
{
    let cache = test.store::<C>().await;
    let desired: C = serde_json::from_value(desired).unwrap();
    let first = Objects::new(test.admin.clone(), OPERATOR);
    let applied = first.apply(owner, desired.clone(), &cache).await.unwrap();
    let applied = applied.into_object();
    eventually("the object is cached", || async {
        let cached = cache.get(Some(&test.namespace), &applied.name_any());
        cached.is_some()
    })
    .await;
    let (client, requests) = test.recorded_client().await;
    let restarted = Objects::new(client, OPERATOR);
    let again = async || {
        let applied = restarted.apply(owner, desired.clone(), &cache).await;
        applied.unwrap();
        let sent = requests.take().into_iter();
        sent.map(|verb| format!("{verb} {}", C::kind(&())))
            .collect()
    };
    [again().await, again().await]
}

fn named(spec: Value) -> Value {
    json!({"metadata": {"name": "x", "labels": {"app": "x"}}, "spec": spec})
}

fn pod() -> Value {
    json!({
        "serviceAccountName": "x",
        "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
        "initContainers": [{"name": "init", "image": "i:1", "command": ["true"]}],
        "containers": [{
            "name": "app", "image": "i:1", "args": ["--port=80"],
            "env": [
                {"name": "A", "value": "1"},
                {"name": "EMPTY", "value": ""},
                {"name": "POD", "valueFrom": {"fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.name"}}},
                {"name": "KEY", "valueFrom": {"secretKeyRef": {"name": "x", "key": "k", "optional": false}}},
            ],
            "ports": [{"name": "http", "containerPort": 80}, {"name": "dns", "containerPort": 80, "protocol": "UDP"}],
            "readinessProbe": {"httpGet": {"path": "/", "port": "http"}, "initialDelaySeconds": 0},
            "resources": {"requests": {"cpu": "100m", "memory": "64Mi"}},
            "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
            "volumeMounts": [{"name": "tmp", "mountPath": "/tmp"}, {"name": "config", "mountPath": "/etc/app", "readOnly": true}],
        }],
        "volumes": [
            {"name": "tmp", "emptyDir": {}},
            {"name": "config", "configMap": {"name": "x", "items": [{"key": "a", "path": "a"}]}},
        ],
        "topologySpreadConstraints": [{
            "maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "ScheduleAnyway", "labelSelector": {"matchLabels": {"app": "x"}},
        }],
    })
}

fn claim() -> Value {
    json!({"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1Gi"}}})
}

fn template() -> Value {
    json!({"metadata": {"labels": {"app": "x"}}, "spec": pod()})
}

#[tokio::test]
async fn a_restarted_operator_sends_nothing_for_objects_that_are_up_to_date() {
    let Some(test) = TestNamespace::new("kinds").await else {
        return;
    };
    let owner = Owner::of(&test.shop("owner").await).unwrap();
    let selector = json!({"matchLabels": {"app": "x"}});
    let job = json!({"metadata": {"labels": {"app": "x"}}, "spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i:1"}],
    }});
    let mut sent = Vec::new();
    macro_rules! kinds {
        ($($kind:ty: $object:expr),* $(,)?) => { $(sent.extend(sent_after_restart::<$kind>(&test, &owner, $object).await.concat());)* };
    }
    kinds! {
        DaemonSet: named(json!({"selector": selector, "template": template()})),
        StatefulSet: named(json!({"serviceName": "x", "replicas": 0, "selector": selector, "template": template()})),
        Service: named(json!({
            "selector": {"app": "x"},
            "ports": [{"name": "http", "port": 80, "targetPort": "http"}, {"name": "dns", "port": 80, "protocol": "UDP"}],
        })),
        PersistentVolumeClaim: named(claim()),
        Pod: named(pod()),
        Job: named(json!({"template": job})),
        CronJob: named(json!({"schedule": "0 * * * *", "suspend": false, "jobTemplate": {"spec": {"template": job}}})),
        Ingress: named(json!({"rules": [{"host": "x.example.com", "http": {"paths": [{
            "path": "/", "pathType": "Prefix", "backend": {"service": {"name": "x", "port": {"number": 80}}},
        }]}}]})),
        NetworkPolicy: named(json!({
            "podSelector": {}, "policyTypes": ["Ingress"], "ingress": [{"ports": [{"port": 80, "protocol": "TCP"}], "from": [{"podSelector": selector}]}],
        })),
        PodDisruptionBudget: named(json!({"selector": selector, "minAvailable": "50%"})),
        HorizontalPodAutoscaler: named(json!({
            "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "x"}, "maxReplicas": 3,
            "metrics": [{"type": "Resource", "resource": {"name": "cpu", "target": {"type": "Utilization", "averageUtilization": 80}}}],
        })),
        Secret: json!({"metadata": {"name": "x"}, "type": "Opaque", "data": {"k": "dg=="}}),
        ServiceAccount: json!({"metadata": {"name": "x"}, "automountServiceAccountToken": false}),
        Role: json!({"metadata": {"name": "x"}, "rules": [{"apiGroups": [""], "resources": ["pods"], "verbs": ["get"]}]}),
        RoleBinding: json!({
            "metadata": {"name": "x"}, "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "x"},
            "subjects": [{"kind": "ServiceAccount", "name": "x"}],
        }),
    }
    assert!(sent.is_empty(), "{sent:#?}");
}

#[tokio::test]
async fn a_default_inside_an_atomic_value_costs_one_request_per_restart() {
    let Some(test) = TestNamespace::new("kinds-atomic").await else {
        return;
    };
    let owner = Owner::of(&test.shop("owner").await).unwrap();
    let policy = named(json!({"podSelector": {}, "ingress": [{"ports": [{"port": 80}]}]}));
    let [first, second] = sent_after_restart::<NetworkPolicy>(&test, &owner, policy).await;
    assert_eq!(first, ["PATCH NetworkPolicy"]);
    assert!(second.is_empty(), "{second:?}");

    let claims = json!([{"metadata": {"name": "data"}, "spec": claim()}]);
    let selector = json!({"matchLabels": {"app": "x"}});
    let set = named(json!({
        "serviceName": "x", "selector": selector, "template": template(), "volumeClaimTemplates": claims,
    }));
    let [first, second] = sent_after_restart::<StatefulSet>(&test, &owner, set).await;
    assert_eq!(first, ["PATCH StatefulSet"]);
    assert!(second.is_empty(), "{second:?}");
}
