//! Which namespaces an operator looks at: all, or some, as `WATCH_NAMESPACE` says.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use k8s_openapi::{ClusterResourceScope, NamespaceResourceScope};
use kb_model::Namespace;
use kube::{Api, Client, Resource};

/// The namespaces that an operator looks at.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Namespaces {
    /// All that there are.
    #[default]
    All,
    /// These, and never none.
    Only(BTreeSet<String>),
}

/// Names that no namespace can have; all of them.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct NamespacesError(Vec<String>);

impl Namespaces {
    /// This one alone.
    pub fn single(name: impl Into<String>) -> Self {
        Self::Only([name.into()].into())
    }

    /// What to watch to see the objects of this kind: one API per namespace, or one for all of them.
    ///
    /// Kinds that are not in a namespace have one API, whatever the namespaces are.
    pub fn apis<K>(&self, client: &Client) -> Vec<Api<K>>
    where
        K: Resource<DynamicType: Default>,
        K::Scope: Scope,
    {
        K::Scope::apis(self, client)
    }
}

/// Whether the objects of a kind are in namespaces: kube's two scopes.
pub trait Scope: Sized {
    /// The APIs of such a kind in these namespaces.
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

    /// Names with commas between them; nothing means all.
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

/// What is wrong with a name, and what to do about it.
pub(crate) fn problem(name: &str) -> Option<String> {
    let error = name.parse::<Namespace>().err()?;
    Some(format!("{error}: {}", error.help()))
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{Node, Pod};

    use super::*;

    fn read(text: &str) -> String {
        match text.parse::<Namespaces>() {
            Ok(namespaces) => namespaces.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn nothing_means_all_namespaces() {
        assert_eq!("".parse(), Ok(Namespaces::All));
        assert_eq!(" ".parse(), Ok(Namespaces::All));
    }

    #[test]
    fn names_are_read_without_blanks_and_repetitions() {
        assert_eq!(read("shop"), "shop");
        assert_eq!(read("shop, 2nd,books,shop"), "2nd,books,shop");
    }

    #[test]
    fn all_mistakes_are_named_at_once() {
        assert_eq!(
            read("Shop,ok,a.b,"),
            "namespace \"Shop\" contains the upper-case letter 'S': try `shop`; \
             namespace \"a.b\" contains a dot: try `a-b`; \
             namespace \"\" is empty: give one, such as `shop-system`"
        );
        let long = "a".repeat(64);
        assert!(read(&long).contains("has 64 characters, of at most 63"));
        assert_eq!(read(&long[1..]), &long[1..]);
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
    async fn a_namespaced_kind_has_an_api_for_every_namespace() {
        assert_eq!(urls::<Pod>(""), ["/api/v1/pods"]);
        assert_eq!(
            urls::<Pod>("b,a"),
            ["/api/v1/namespaces/a/pods", "/api/v1/namespaces/b/pods"]
        );
    }

    #[tokio::test]
    async fn a_kind_of_the_cluster_has_one_api() {
        assert_eq!(urls::<Node>("b,a"), ["/api/v1/nodes"]);
    }
}
