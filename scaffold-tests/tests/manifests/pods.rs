//! What no pod may have, and what every container must: privileges, the host, root, limits.

use serde_json::Value;

use crate::files::strings;

pub(crate) fn problems(document: &Value) -> Vec<String> {
    let pod = match document["kind"].as_str().unwrap_or_default() {
        "Pod" => &document["spec"],
        "CronJob" => &document["spec"]["jobTemplate"]["spec"]["template"]["spec"],
        "DaemonSet" | "Deployment" | "Job" | "StatefulSet" => &document["spec"]["template"]["spec"],
        _ => return Vec::new(),
    };
    let mut problems = of_host(pod);
    problems.extend(of_user(&pod["securityContext"]));
    // A patch has only what it changes: a whole workload selects its pods.
    let is_patch = document["spec"]["selector"].is_null();
    if !is_patch {
        let context = &pod["securityContext"];
        let restricted = context["runAsNonRoot"] == true
            && context["seccompProfile"]["type"] == "RuntimeDefault";
        if !restricted {
            problems.push("the pod may be root, or has no seccomp profile".to_owned());
        }
        if !(context["runAsUser"].is_u64() && context["runAsGroup"].is_u64()) {
            problems.push("the pod's user or group is not a number".to_owned());
        }
    }
    for list in ["containers", "initContainers"] {
        for container in pod[list].as_array().into_iter().flatten() {
            problems.extend(forbidden(container));
            if !is_patch {
                problems.extend(missing(container));
            }
        }
    }
    problems
}

fn of_host(pod: &Value) -> Vec<String> {
    let namespaces = ["hostNetwork", "hostPID", "hostIPC"];
    let mut problems: Vec<String> = namespaces
        .into_iter()
        .filter(|name| pod[*name] == true)
        .map(ToOwned::to_owned)
        .collect();
    let mut volumes = pod["volumes"].as_array().into_iter().flatten();
    if volumes.any(|volume| !volume["hostPath"].is_null()) {
        problems.push("hostPath".to_owned());
    }
    problems
}

fn of_user(context: &Value) -> Vec<String> {
    let ids = ["runAsUser", "runAsGroup", "fsGroup"];
    let is_root = |id: &&str| context[*id] == 0;
    let ids = ids.into_iter().filter(is_root);
    ids.map(|id| format!("{id}: 0")).collect()
}

/// What no container may have.
fn forbidden(container: &Value) -> Vec<String> {
    let context = &container["securityContext"];
    let mut ports = container["ports"].as_array().into_iter().flatten();
    let mut problems = of_user(context);
    problems.extend(named(
        container,
        [
            (context["privileged"] == true, "it is privileged"),
            (
                context["runAsNonRoot"] == false,
                "it may be root though its pod may not",
            ),
            (
                !context["capabilities"]["add"].is_null(),
                "it adds capabilities",
            ),
            (
                ports.any(|port| !port["hostPort"].is_null()),
                "it takes a port of the host",
            ),
        ],
    ));
    problems
}

/// What every container must have.
fn missing(container: &Value) -> Vec<String> {
    let context = &container["securityContext"];
    let resources = &container["resources"];
    let wrong = [
        (
            context["allowPrivilegeEscalation"] != false,
            "it may gain privileges",
        ),
        (
            context["readOnlyRootFilesystem"] != true,
            "it may write to its image",
        ),
        (
            strings(&context["capabilities"]["drop"]) != ["ALL"],
            "it has capabilities",
        ),
        (
            resources["requests"]["cpu"].is_null() || resources["requests"]["memory"].is_null(),
            "it asks for no CPU or memory",
        ),
        (
            resources["limits"]["memory"].is_null(),
            "it has no memory limit",
        ),
        (
            container["livenessProbe"].is_null() || container["readinessProbe"].is_null(),
            "it has no probes",
        ),
        // The name that config/manager/kustomization.yaml has an image for, whose tag is looked at there.
        (
            container["image"] != "controller",
            "its image is not the manager's",
        ),
    ];
    named(container, wrong)
}

/// Those that are wrong, with the name of the container.
fn named<const N: usize>(container: &Value, wrong: [(bool, &str); N]) -> Vec<String> {
    let name = container["name"].as_str().unwrap_or_default();
    let wrong = wrong.into_iter().filter(|(is_wrong, _)| *is_wrong);
    wrong
        .map(|(_, what)| format!("container {name}: {what}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::files::goldens;

    fn manager() -> Value {
        let golden = goldens().remove(0);
        let mut documents = golden.documents().into_iter();
        let is_deployment = |(path, document): &(String, Value)| {
            path == "config/manager/manager.yaml" && document["kind"] == "Deployment"
        };
        documents.find(is_deployment).unwrap().1
    }

    /// The Deployment with one value changed, at a path below its pod.
    fn with(pointer: &str, value: Value) -> Value {
        let mut deployment = manager();
        let pod = &mut deployment["spec"]["template"]["spec"];
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = pod.pointer_mut(parent).unwrap();
        parent[key] = value;
        deployment
    }

    #[test]
    fn each_thing_that_must_not_be_there_is_found() {
        assert!(problems(&manager()).is_empty());
        let wrong = [
            ("/hostNetwork", json!(true)),
            ("/hostPID", json!(true)),
            ("/hostIPC", json!(true)),
            (
                "/volumes",
                json!([{"name": "x", "hostPath": {"path": "/"}}]),
            ),
            ("/securityContext/runAsNonRoot", json!(false)),
            ("/securityContext/runAsUser", json!(0)),
            ("/securityContext/runAsUser", json!("nonroot")),
            ("/securityContext/runAsGroup", Value::Null),
            ("/securityContext/seccompProfile", Value::Null),
            ("/containers/0/image", json!("docker.io/library/busybox")),
            ("/containers/0/ports/0/hostPort", json!(80)),
            ("/containers/0/livenessProbe", Value::Null),
            ("/containers/0/resources/limits", Value::Null),
            ("/containers/0/resources/requests", Value::Null),
            ("/containers/0/securityContext/privileged", json!(true)),
            ("/containers/0/securityContext/runAsUser", json!(0)),
            ("/containers/0/securityContext/runAsNonRoot", json!(false)),
            (
                "/containers/0/securityContext/readOnlyRootFilesystem",
                Value::Null,
            ),
            (
                "/containers/0/securityContext/allowPrivilegeEscalation",
                Value::Null,
            ),
            (
                "/containers/0/securityContext/capabilities",
                json!({"drop": ["ALL"], "add": ["NET_ADMIN"]}),
            ),
            ("/containers/0/securityContext/capabilities", Value::Null),
        ];
        for (pointer, value) in wrong {
            let found = problems(&with(pointer, value));
            assert_eq!(found.len(), 1, "{pointer}: {found:?}");
        }
    }
}
