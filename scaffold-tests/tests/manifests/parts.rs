//! Consistency between files: components match the lines that `kb-rs edit` changes, policies and monitors match ports and labels.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{
    files::{Golden, goldens},
    images::user_of_dockerfile,
};

/// The components in config/default.
const COMPONENTS: [&str; 4] = ["prometheus", "metrics-tls", "network-policy", "pdb"];

/// Returns whether a selector matches labels.
fn selects(selector: &Value, labels: &Value) -> bool {
    let selector = selector.as_object().expect("labels to select by");
    !selector.is_empty() && selector.iter().all(|(key, value)| labels[key] == *value)
}

fn deployment(golden: &Golden) -> Value {
    let mut documents = golden.documents().into_iter().map(|(_, document)| document);
    let is_complete = |document: &Value| {
        document["kind"] == "Deployment" && document["spec"]["selector"].is_object()
    };
    documents.find(is_complete).unwrap()
}

#[test]
fn every_component_is_a_disabled_line_with_a_description() {
    for golden in goldens() {
        let text = golden.tree.get("config/default/kustomization.yaml");
        let (_, list) = text.unwrap().split_once("\ncomponents:\n").unwrap();
        let (list, _) = list.split_once("# +kb:scaffold:components\n").unwrap();
        let lines: Vec<&str> = list.lines().collect();
        let listed = lines.chunks(2).map(|lines| {
            let [description, line] = lines else {
                panic!("{}: {lines:?}", golden.name);
            };
            assert!(
                description.starts_with("# ") && !description.starts_with("# - "),
                "{description}"
            );
            line.strip_prefix("# - ../")
                .unwrap_or_else(|| panic!("{line}"))
        });
        assert_eq!(listed.collect::<Vec<_>>(), COMPONENTS, "{}", golden.name);

        let documents = golden.documents().into_iter();
        let found: BTreeSet<String> = documents
            .filter(|(_, document)| document["kind"] == "Component")
            .map(|(path, _)| path.split('/').nth(1).unwrap().to_owned())
            .collect();
        assert_eq!(
            found,
            COMPONENTS.map(ToOwned::to_owned).into(),
            "{}",
            golden.name
        );
    }
}

#[test]
fn the_network_policy_allows_the_metrics_port_but_not_the_probes() {
    for golden in goldens() {
        let deployment = deployment(&golden);
        let template = &deployment["spec"]["template"];
        let ports = template["spec"]["containers"][0]["ports"]
            .as_array()
            .unwrap();
        let metrics = ports.iter().find(|port| port["name"] == "metrics").unwrap();

        let policy = golden.document("config/network-policy/allow-metrics-traffic.yaml");
        let spec = &policy["spec"];
        assert!(selects(
            &spec["podSelector"]["matchLabels"],
            &template["metadata"]["labels"]
        ));
        assert_eq!(
            spec["ingress"][0]["ports"][0]["port"],
            metrics["containerPort"]
        );

        let service = golden.document("config/default/metrics_service.yaml");
        assert_eq!(service["spec"]["ports"][0]["targetPort"], metrics["name"]);
        assert!(selects(
            &service["spec"]["selector"],
            &template["metadata"]["labels"]
        ));

        let container = &template["spec"]["containers"][0];
        for probe in ["livenessProbe", "readinessProbe"] {
            assert_eq!(container[probe]["httpGet"]["port"], "probes");
        }
    }
}

#[test]
fn the_monitor_selects_only_the_metrics_service() {
    for golden in goldens() {
        let monitor = golden.document("config/prometheus/monitor.yaml");
        let selector = &monitor["spec"]["selector"]["matchLabels"];
        let service = golden.document("config/default/metrics_service.yaml");
        assert!(selects(selector, &service["metadata"]["labels"]));
        assert_eq!(
            monitor["spec"]["endpoints"][0]["port"],
            service["spec"]["ports"][0]["name"]
        );
        let documents = golden.documents().into_iter();
        let others = documents.filter(|(_, document)| {
            document["kind"] == "Service"
                && document["metadata"]["name"] != service["metadata"]["name"]
        });
        for (path, other) in others {
            assert!(!selects(selector, &other["metadata"]["labels"]), "{path}");
        }
    }
}

#[test]
fn the_budget_and_the_spread_constraint_select_the_manager() {
    for golden in goldens() {
        let labels = &deployment(&golden)["spec"]["template"]["metadata"]["labels"];
        let budget = golden.document("config/pdb/pod_disruption_budget.yaml");
        assert!(selects(&budget["spec"]["selector"]["matchLabels"], labels));
        let patch = golden.document("config/pdb/manager_replicas_patch.yaml");
        let spread = &patch["spec"]["template"]["spec"]["topologySpreadConstraints"];
        for constraint in spread.as_array().unwrap() {
            assert!(selects(&constraint["labelSelector"]["matchLabels"], labels));
        }
    }
}

#[test]
fn the_role_allows_the_lease_of_the_manager() {
    for golden in goldens() {
        let main = golden.tree.get("src/main.rs").unwrap();
        let (_, name) = main.split_once("Manager::new(\"").unwrap();
        let (name, _) = name.split_once('"').unwrap();
        let role = golden.document("config/rbac/leader_election_role.yaml");
        let names = &role["rules"][1]["resourceNames"];
        assert_eq!(*names, serde_json::json!([name]), "{}", golden.name);
    }
}

#[test]
fn the_pod_runs_as_the_user_of_the_image() {
    for golden in goldens() {
        let dockerfile = golden.tree.get("Dockerfile").unwrap();
        let context = &deployment(&golden)["spec"]["template"]["spec"]["securityContext"];
        let user = format!("{}:{}", context["runAsUser"], context["runAsGroup"]);
        assert_eq!(user_of_dockerfile(dockerfile), Some(user.as_str()));
    }
}

#[test]
fn dependabot_updates_all_pinned_versions() {
    for golden in goldens() {
        let dependabot = golden.document(".github/dependabot.yml");
        let updates = dependabot["updates"].as_array().unwrap().iter();
        let ecosystems: Vec<&str> = updates
            .map(|update| update["package-ecosystem"].as_str().unwrap())
            .collect();
        assert_eq!(ecosystems, ["cargo", "github-actions", "docker"]);
        assert!(golden.tree.get("SECURITY.md").is_some(), "{}", golden.name);
    }
}
