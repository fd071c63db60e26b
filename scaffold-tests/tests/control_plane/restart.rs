//! Objects of many kinds, as an operator writes them: what the API server makes of them is recognised as what was wanted.
//!
//! One thing is not, and costs a request after each start of an operator: a default inside of what is atomic, such as the protocol of a
//! port of a `NetworkPolicy`, or the mode of a volume that a `StatefulSet` claims. It could as well be a field that was wanted before.

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

use crate::place::{OPERATOR, Place, eventually};

/// Applies an object as one operator, and then as one that has just been started, twice. Says what that one sent, each time.
async fn sent_again<C>(place: &Place, owner: &Owner, wanted: Value) -> [Vec<String>; 2]
where
    C: CachedResource<Scope = NamespaceResourceScope> + Serialize,
{
    let cache = place.store::<C>().await;
    let wanted: C = serde_json::from_value(wanted).unwrap();
    let first = Objects::new(place.admin.clone(), OPERATOR);
    let applied = first.apply(owner, wanted.clone(), &cache).await.unwrap();
    let applied = applied.into_object();
    eventually("the cache has it", || async {
        let cached = cache.get(Some(&place.namespace), &applied.name_any());
        cached.is_some()
    })
    .await;
    let (client, requests) = place.recorder().await;
    let restarted = Objects::new(client, OPERATOR);
    let again = async || {
        let applied = restarted.apply(owner, wanted.clone(), &cache).await;
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
async fn an_operator_that_was_started_anew_sends_nothing_for_what_is_as_it_wants_it() {
    let Some(place) = Place::new("kinds").await else {
        return;
    };
    let owner = Owner::of(&place.shop("owner").await).unwrap();
    let selector = json!({"matchLabels": {"app": "x"}});
    let job = json!({"metadata": {"labels": {"app": "x"}}, "spec": {
        "restartPolicy": "Never", "containers": [{"name": "c", "image": "i:1"}],
    }});
    let mut sent = Vec::new();
    macro_rules! kinds {
        ($($kind:ty: $object:expr),* $(,)?) => { $(sent.extend(sent_again::<$kind>(&place, &owner, $object).await.concat());)* };
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
async fn a_default_inside_of_what_is_atomic_costs_one_request_after_a_start() {
    let Some(place) = Place::new("kinds-atomic").await else {
        return;
    };
    let owner = Owner::of(&place.shop("owner").await).unwrap();
    let policy = named(json!({"podSelector": {}, "ingress": [{"ports": [{"port": 80}]}]}));
    let [first, second] = sent_again::<NetworkPolicy>(&place, &owner, policy).await;
    assert_eq!(first, ["PATCH NetworkPolicy"]);
    assert!(second.is_empty(), "{second:?}");

    let claims = json!([{"metadata": {"name": "data"}, "spec": claim()}]);
    let selector = json!({"matchLabels": {"app": "x"}});
    let set = named(json!({
        "serviceName": "x", "selector": selector, "template": template(), "volumeClaimTemplates": claims,
    }));
    let [first, second] = sent_again::<StatefulSet>(&place, &owner, set).await;
    assert_eq!(first, ["PATCH StatefulSet"]);
    assert!(second.is_empty(), "{second:?}");
}
