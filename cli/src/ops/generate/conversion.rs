//! Finds the CRDs with a conversion webhook, from the kustomize patches in config/crd.
//!
//! Recognizes strategic merge patches, inline or in a file, as Kubebuilder scaffolds them. Ignores files that cannot be read or parsed:
//! kustomize reports them.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::{plan::RelPath, yaml};

const DIR: &str = "config/crd";

/// Returns the names of the CRDs.
pub(super) fn converted(text_of: impl Fn(&RelPath) -> Option<String>) -> BTreeSet<String> {
    let read = |name: &str| {
        let path = RelPath::try_from(format!("{DIR}/{name}")).ok()?;
        text_of(&path)
    };
    let list = read("kustomization.yaml").and_then(|text| yaml::read(&text));
    let list = list.unwrap_or_default();
    let all = |key: &str| list[key].as_array().cloned().unwrap_or_default();
    let inline = all("patches")
        .into_iter()
        .chain(all("patchesStrategicMerge"));
    let texts = inline.filter_map(|patch| match (&patch["patch"], &patch["path"], &patch) {
        (Value::String(text), ..) => Some(text.clone()),
        (_, Value::String(path), _) | (_, _, Value::String(path)) => read(path),
        _ => None,
    });
    texts.filter_map(|text| name(&yaml::read(&text)?)).collect()
}

/// Returns the CRD that a patch adds a conversion webhook to.
fn name(patch: &Value) -> Option<String> {
    let is_meant = patch["kind"] == "CustomResourceDefinition"
        && patch["spec"]["conversion"]["strategy"] == "Webhook";
    let name = patch["metadata"]["name"].as_str().filter(|_| is_meant)?;
    Some(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: jobs.example.com\nspec:\n  conversion:\n    strategy: STRATEGY\n";

    fn names(list: &str, strategy: &str) -> Vec<String> {
        let patch = PATCH.replace("STRATEGY", strategy);
        let found = converted(|path| match path.as_str() {
            "config/crd/kustomization.yaml" => Some(list.to_owned()),
            "config/crd/patches/webhook.yaml" => Some(patch.clone()),
            _ => None,
        });
        found.into_iter().collect()
    }

    #[test]
    fn finds_inline_patches_and_patch_files() {
        let inline: String = PATCH.replace("STRATEGY", "Webhook").replace('\n', "\n    ");
        for list in [
            "patches:\n- path: patches/webhook.yaml\n",
            "patches:\n- path: missing.yaml\n- path: patches/webhook.yaml\n  target:\n    kind: CustomResourceDefinition\n",
            "patchesStrategicMerge:\n- patches/webhook.yaml\n",
            &format!("patches:\n- patch: |-\n    {inline}\n"),
        ] {
            assert_eq!(names(list, "Webhook"), ["jobs.example.com"], "{list}");
        }
    }

    #[test]
    fn ignores_other_patches() {
        let list = "patches:\n- path: patches/webhook.yaml\n";
        assert!(names(list, "None").is_empty());
        for list in [
            "",
            "patches: 1\n",
            "patches:\n- path: ../../../etc/passwd\n",
            "a: [",
        ] {
            assert!(names(list, "Webhook").is_empty(), "{list}");
        }
    }
}
