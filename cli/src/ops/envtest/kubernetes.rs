//! The Kubernetes version that a project is compiled for.

use kb_envtest::VersionSelector;
use toml_edit::{DocumentMut, Item};

/// Returns the version of the k8s-openapi feature in a Cargo.toml, such as `v1_36`.
pub(crate) fn kubernetes_version(manifest: &str) -> Option<VersionSelector> {
    let manifest: DocumentMut = manifest.parse().ok()?;
    let tables = [
        manifest.get("dependencies"),
        manifest
            .get("workspace")
            .and_then(|table| table.get("dependencies")),
    ];
    tables.into_iter().flatten().find_map(version)
}

fn version(dependencies: &Item) -> Option<VersionSelector> {
    let features = dependencies
        .get("k8s-openapi")?
        .get("features")?
        .as_array()?;
    features.iter().find_map(|feature| match feature.as_str()? {
        "latest" => Some(VersionSelector::Latest),
        feature => feature.strip_prefix('v')?.replace('_', ".").parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_version_from_the_k8s_openapi_feature() {
        let version = |text: &str| kubernetes_version(text).map(|selector| selector.to_string());
        let own = "[dependencies]\nk8s-openapi = { workspace = true, features = [\"schemars\", \"v1_36\"] }";
        assert_eq!(version(own).as_deref(), Some("v1.36"));
        let table = "[dependencies.k8s-openapi]\nversion = \"0.29\"\nfeatures = [\"latest\"]";
        assert_eq!(version(table).as_deref(), Some("latest"));
        let shared = "[workspace.dependencies]\nk8s-openapi = { version = \"0.29\", features = [\"v1_34\"] }\n[dependencies]\nk8s-openapi.workspace = true";
        assert_eq!(version(shared).as_deref(), Some("v1.34"));
        for none in [
            "",
            "[dependencies]\nk8s-openapi = \"0.29\"",
            "[dependencies]",
            "not toml [",
        ] {
            assert_eq!(version(none), None, "{none}");
        }
    }
}
