//! Maps k8s-openapi types to `OpenAPI` components.
//!
//! k8s-openapi's modules are named like Kubernetes' packages, with underscores for hyphens, and each type has one public path. Only full paths are
//! known here; the source reader resolves `use` and aliases.

use super::table;

/// Returns the component of a Rust type such as `k8s_openapi::api::core::v1::PodSpec`, or `None` if unknown.
///
/// `k8s_openapi::ByteString` is not a Kubernetes component; it is named `bytes` here.
pub fn component(rust_path: &str) -> Option<&'static str> {
    let path = rust_path.strip_prefix("::").unwrap_or(rust_path);
    let path = path.strip_prefix("k8s_openapi::")?;
    let component = match path.split_once("::") {
        None if path == "ByteString" => "bytes".to_owned(),
        None => return None,
        Some((package, rest)) => {
            let package = package.replace('_', "-");
            format!("io.k8s.{package}.{}", rest.replace("::", "."))
        }
    };
    let (line, _) = table::find(&component)?;
    Some(line.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_rust_paths_to_components() {
        let known = [
            (
                "k8s_openapi::api::core::v1::PodSpec",
                "io.k8s.api.core.v1.PodSpec",
            ),
            (
                "::k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition",
                "io.k8s.apimachinery.pkg.apis.meta.v1.Condition",
            ),
            (
                "k8s_openapi::apimachinery::pkg::util::intstr::IntOrString",
                "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
            ),
            (
                "k8s_openapi::apiextensions_apiserver::pkg::apis::apiextensions::v1::JSON",
                "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON",
            ),
            (
                "k8s_openapi::kube_aggregator::pkg::apis::apiregistration::v1::ServiceReference",
                "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference",
            ),
            ("k8s_openapi::ByteString", "bytes"),
        ];
        for (path, expected) in known {
            assert_eq!(component(path), Some(expected), "{path}");
        }
    }

    #[test]
    fn other_paths_have_no_component() {
        let unknown = [
            "PodSpec",
            "k8s_openapi::List",
            "k8s_openapi::bytes",
            "k8s_openapi::jiff::Timestamp",
            "k8s_openapi::api::core::v1::PodSpock",
            "kube::api::ObjectMeta",
        ];
        for path in unknown {
            assert_eq!(component(path), None, "{path}");
        }
    }
}
