//! The version of Kubernetes that a project is compiled for.

use kb_envtest::Wanted;
use toml_edit::{DocumentMut, Item};

/// The version in the features of k8s-openapi, such as `v1_36`, in the text of a Cargo.toml.
pub(crate) fn kubernetes_of(manifest: &str) -> Option<Wanted> {
    let manifest: DocumentMut = manifest.parse().ok()?;
    let tables = [
        manifest.get("dependencies"),
        manifest
            .get("workspace")
            .and_then(|table| table.get("dependencies")),
    ];
    tables.into_iter().flatten().find_map(version)
}

fn version(dependencies: &Item) -> Option<Wanted> {
    let features = dependencies
        .get("k8s-openapi")?
        .get("features")?
        .as_array()?;
    features.iter().find_map(|feature| match feature.as_str()? {
        "latest" => Some(Wanted::Latest),
        feature => feature.strip_prefix('v')?.replace('_', ".").parse().ok(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_feature_of_k8s_openapi_is_the_version() {
        let of = |text: &str| kubernetes_of(text).map(|wanted| wanted.to_string());
        let own = "[dependencies]\nk8s-openapi = { workspace = true, features = [\"schemars\", \"v1_36\"] }";
        assert_eq!(of(own).as_deref(), Some("v1.36"));
        let table = "[dependencies.k8s-openapi]\nversion = \"0.29\"\nfeatures = [\"latest\"]";
        assert_eq!(of(table).as_deref(), Some("latest"));
        let shared = "[workspace.dependencies]\nk8s-openapi = { version = \"0.29\", features = [\"v1_34\"] }\n[dependencies]\nk8s-openapi.workspace = true";
        assert_eq!(of(shared).as_deref(), Some("v1.34"));
        for none in [
            "",
            "[dependencies]\nk8s-openapi = \"0.29\"",
            "[dependencies]",
            "not toml [",
        ] {
            assert_eq!(of(none), None, "{none}");
        }
    }
}
