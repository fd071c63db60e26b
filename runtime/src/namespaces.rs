//! Watched namespaces: all, or those of `WATCH_NAMESPACE`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kb_model::Namespace;
use kube::{Api, Client, Resource};

/// The namespaces that an operator watches.
///
/// Parses a comma-separated list, as in `WATCH_NAMESPACE`; an empty string means all namespaces.
///
/// ```
/// use kb::namespaces::Namespaces;
///
/// assert_eq!("".parse(), Ok(Namespaces::All));
/// assert_eq!("shop".parse(), Ok(Namespaces::single("shop")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Namespaces {
    /// All namespaces.
    #[default]
    All,
    /// These namespaces. Must not be empty.
    Only(BTreeSet<String>),
}

/// Error of parsing [`Namespaces`]. Lists all invalid names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct NamespacesError(Vec<String>);

impl Namespaces {
    /// Returns a single namespace.
    pub fn single(name: impl Into<String>) -> Self {
        Self::Only([name.into()].into())
    }

    /// Returns the APIs to watch a resource: one per namespace, or a single `Api::all`.
    ///
    /// Cluster-scoped resources always have a single API.
    pub fn apis<K>(&self, client: &Client) -> Vec<Api<K>>
    where
        K: Resource<DynamicType: Default>,
        K::Scope: Scope,
    {
        K::Scope::apis(self, client)
    }
}

/// Scope of a resource: kube's `ClusterResourceScope` and `NamespaceResourceScope`.
pub trait Scope: Sized {
    /// Returns the APIs of a resource with this scope.
    fn apis<K>(namespaces: &Namespaces, client: &Client) -> Vec<Api<K>>
    where
        K: Resource<Scope = Self, DynamicType: Default>;
}

impl Scope for ClusterResourceScope {
    fn apis<K>(_: &Namespaces, client: &Client) -> Vec<Api<K>>
    where
        K: Resource<Scope = Self, DynamicType: Default>,
    {
        vec![Api::all(client.clone())]
    }
}

impl Scope for NamespaceResourceScope {
    fn apis<K>(namespaces: &Namespaces, client: &Client) -> Vec<Api<K>>
    where
        K: Resource<Scope = Self, DynamicType: Default>,
    {
        let inside = |name: &String| Api::namespaced(client.clone(), name);
        match namespaces {
            Namespaces::All => vec![Api::all(client.clone())],
            Namespaces::Only(names) => names.iter().map(inside).collect(),
        }
    }
}

impl FromStr for Namespaces {
    type Err = NamespacesError;

    /// Parses a comma-separated list. An empty string means all namespaces.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.trim().is_empty() {
            return Ok(Self::All);
        }
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        let problems: Vec<String> = names.iter().filter_map(|name| problem(name)).collect();
        if problems.is_empty() {
            Ok(Self::Only(names.into_iter().map(str::to_owned).collect()))
        } else {
            Err(NamespacesError(problems))
        }
    }
}

impl fmt::Display for Namespaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::Only(names) => {
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                f.write_str(&names.join(","))
            }
        }
    }
}

/// Returns why a name is invalid and how to fix it.
pub(crate) fn problem(name: &str) -> Option<String> {
    let error = name.parse::<Namespace>().err()?;
    Some(format!("{error}: {}", error.help()))
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{Node, Pod};

    use super::*;

    fn parse(text: &str) -> String {
        match text.parse::<Namespaces>() {
            Ok(namespaces) => namespaces.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn an_empty_string_means_all_namespaces() {
        assert_eq!("".parse(), Ok(Namespaces::All));
        assert_eq!(" ".parse(), Ok(Namespaces::All));
    }

    #[test]
    fn trims_and_deduplicates_names() {
        assert_eq!(parse("shop"), "shop");
        assert_eq!(parse("shop, 2nd,books,shop"), "2nd,books,shop");
    }

    #[test]
    fn reports_all_invalid_names() {
        assert_eq!(
            parse("Shop,ok,a.b,"),
            "namespace \"Shop\" contains the upper-case letter 'S': try `shop`; \
             namespace \"a.b\" contains a dot: try `a-b`; \
             namespace \"\" is empty: set one, such as `shop-system`"
        );
        let long = "a".repeat(64);
        assert!(parse(&long).contains("has 64 characters, but at most 63 are allowed"));
        assert_eq!(parse(&long[1..]), &long[1..]);
    }

    fn urls<K>(text: &str) -> Vec<String>
    where
        K: Resource<DynamicType: Default>,
        K::Scope: Scope,
    {
        let service = tower::service_fn(async |_: http::Request<kube::client::Body>| {
            Ok::<_, std::convert::Infallible>(http::Response::new(kube::client::Body::empty()))
        });
        let client = Client::new(service, "default");
        let apis = text.parse::<Namespaces>().unwrap().apis::<K>(&client);
        apis.iter()
            .map(|api| api.resource_url().to_owned())
            .collect()
    }

    #[tokio::test]
    async fn a_namespaced_resource_has_one_api_per_namespace() {
        assert_eq!(urls::<Pod>(""), ["/api/v1/pods"]);
        assert_eq!(
            urls::<Pod>("b,a"),
            ["/api/v1/namespaces/a/pods", "/api/v1/namespaces/b/pods"]
        );
    }

    #[tokio::test]
    async fn a_cluster_scoped_resource_has_one_api() {
        assert_eq!(urls::<Node>("b,a"), ["/api/v1/nodes"]);
    }
}
