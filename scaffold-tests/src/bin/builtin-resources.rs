//! Makes the table of the resources of Kubernetes' own groups, `model/src/builtin/resources.tsv`, from what the API server says of itself.
//!
//! ```text
//! cargo run -p scaffold-tests --bin builtin-resources -- DIR > model/src/builtin/resources.tsv
//! cargo run -p scaffold-tests --bin builtin-resources -- DIR --check model/src/builtin/resources.tsv
//! ```
//!
//! DIR is the folder of the Go module `k8s.io/kubernetes` (`go mod download -json k8s.io/kubernetes@v1.36.3` names it); its folder
//! `api/discovery` has one document for each group and version. Versions are left out: a rule of a role is for all of them.

#![allow(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a developer's tool: it reads the sources of a module, and its output is the table"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use serde_json::Value;

const HEADER: &str = "\
# Kubernetes 1.36. Made by `builtin-resources` of the package scaffold-tests; do not edit.
# group\tresource\tkind\tsubresources
";

/// What the API server does not serve and Kubernetes asks permission for all the same.
const ONLY_AUTHORIZED: &[(&str, &[&str])] = &[
    // Impersonation; in the group of authentication, it is the constrained one, and what has no kind anywhere.
    ("", &["users", "groups"]),
    (
        "authentication.k8s.io",
        &[
            "groups",
            "nodes",
            "serviceaccounts",
            "uids",
            "userextras/*",
            "users",
        ],
    ),
    // The kubelet asks for its own paths.
    (
        "",
        &[
            "nodes/checkpoint",
            "nodes/configz",
            "nodes/healthz",
            "nodes/log",
            "nodes/metrics",
            "nodes/pods",
            "nodes/spec",
            "nodes/stats",
            "nodes/statusz",
        ],
    ),
    // Who may make endpoints that lead outside of the cluster's networks.
    ("", &["endpoints/restricted"]),
    ("discovery.k8s.io", &["endpointslices/restricted"]),
    // Who may approve, sign and attest, and for whom the controller manager approves by itself.
    (
        "certificates.k8s.io",
        &[
            "signers",
            "certificatesigningrequests/nodeclient",
            "certificatesigningrequests/selfnodeclient",
        ],
    ),
    // Who may change which part of the status of a claim.
    (
        "resource.k8s.io",
        &["resourceclaims/binding", "resourceclaims/driver"],
    ),
];

/// Kind and subresources by group and resource.
type Resources = BTreeMap<(String, String), (String, BTreeSet<String>)>;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        [module] => print!("{}", table(Path::new(module))?),
        [module, "--check", file] => {
            let committed =
                fs::read_to_string(file).with_context(|| format!("cannot read {file}"))?;
            if committed != table(Path::new(module))? {
                bail!(
                    "{file} is not what Kubernetes has. To write it again:\n  \
                     cargo run -p scaffold-tests --bin builtin-resources -- {module} > {file}"
                );
            }
        }
        _ => bail!("usage: builtin-resources KUBERNETES_DIR [--check FILE]"),
    }
    Ok(())
}

fn table(module: &Path) -> Result<String> {
    let mut resources = served(&module.join("api/discovery"))?;
    for (group, names) in ONLY_AUTHORIZED {
        for name in *names {
            add(&mut resources, group, name, "");
        }
    }
    let lines = resources
        .into_iter()
        .map(|((group, name), (kind, subresources))| {
            let subresources: Vec<String> = subresources.into_iter().collect();
            format!("{group}\t{name}\t{kind}\t{}\n", subresources.join(","))
        });
    Ok(format!("{HEADER}{}", lines.collect::<String>()))
}

/// What the documents of the API server list.
fn served(folder: &Path) -> Result<Resources> {
    let mut resources = Resources::new();
    let entries =
        fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let text = fs::read_to_string(&path);
        let text = text.with_context(|| format!("cannot read {}", path.display()))?;
        let document: Value = serde_json::from_str(&text)
            .with_context(|| format!("{} is not JSON", path.display()))?;
        if document["kind"] != "APIResourceList" {
            continue;
        }
        let version = document["groupVersion"].as_str().unwrap_or_default();
        let group = version.split_once('/').map_or("", |(group, _)| group);
        for resource in document["resources"].as_array().into_iter().flatten() {
            let name = resource["name"].as_str().context("a resource has a name")?;
            let kind = resource["kind"].as_str().unwrap_or_default();
            add(&mut resources, group, name, kind);
        }
    }
    if resources.is_empty() {
        bail!(
            "no resources in {}: is it k8s.io/kubernetes?",
            folder.display()
        );
    }
    Ok(resources)
}

fn add(resources: &mut Resources, group: &str, name: &str, kind: &str) {
    let (resource, subresource) = match name.split_once('/') {
        Some((resource, subresource)) => (resource, Some(subresource)),
        None => (name, None),
    };
    let key = (group.to_owned(), resource.to_owned());
    let (own, subresources) = resources.entry(key).or_default();
    match subresource {
        Some(subresource) => {
            subresources.insert(subresource.to_owned());
        }
        None => kind.clone_into(own),
    }
}
