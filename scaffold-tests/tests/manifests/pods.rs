//! Security rules of pods: privileges, host access, root, limits.

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
    // A patch has no selector, and only the fields that it changes.
    let is_patch = document["spec"]["selector"].is_null();
    if !is_patch {
        let context = &pod["securityContext"];
        let restricted = context["runAsNonRoot"] == true
            && context["seccompProfile"]["type"] == "RuntimeDefault";
        if !restricted {
            problems.push("the pod may run as root, or has no seccomp profile".to_owned());
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

/// Returns forbidden fields.
fn forbidden(container: &Value) -> Vec<String> {
    let context = &container["securityContext"];
    let mut ports = container["ports"].as_array().into_iter().flatten();
    let mut problems = of_user(context);
    problems.extend(named(
        container,
        [
            (context["privileged"] == true, "privileged"),
            (context["runAsNonRoot"] == false, "may run as root"),
            (
                !context["capabilities"]["add"].is_null(),
                "adds capabilities",
            ),
            (
                ports.any(|port| !port["hostPort"].is_null()),
                "has a host port",
            ),
        ],
    ));
    problems
}

/// Returns missing fields.
fn missing(container: &Value) -> Vec<String> {
    let context = &container["securityContext"];
    let resources = &container["resources"];
    let wrong = [
        (
            context["allowPrivilegeEscalation"] != false,
            "may escalate privileges",
        ),
        (
            context["readOnlyRootFilesystem"] != true,
            "writable root file system",
        ),
        (
            strings(&context["capabilities"]["drop"]) != ["ALL"],
            "has capabilities",
        ),
        (
            resources["requests"]["cpu"].is_null() || resources["requests"]["memory"].is_null(),
            "no requests of CPU or memory",
        ),
        (resources["limits"]["memory"].is_null(), "no memory limit"),
        (
            container["livenessProbe"].is_null() || container["readinessProbe"].is_null(),
            "no probes",
        ),
        // config/manager/kustomization.yaml replaces this image; its tag is checked there.
        (container["image"] != "controller", "another image"),
    ];
    named(container, wrong)
}

/// Returns the problems with the name of the container.
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

    /// Returns the Deployment with a changed value of its pod.
    fn with(pointer: &str, value: Value) -> Value {
        let mut deployment = manager();
        let pod = &mut deployment["spec"]["template"]["spec"];
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        let parent = pod.pointer_mut(parent).unwrap();
        parent[key] = value;
        deployment
    }

    #[test]
    fn every_problem_is_reported() {
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
