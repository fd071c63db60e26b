//! An API request as RBAC sees it.
//!
//! Maps method and path like kube-apiserver (`RequestInfoFactory` in `k8s.io/apiserver/pkg/endpoints/request`), without the deprecated paths
//! (`/api/v1/watch/...`).

use std::fmt;

use http::{Method, Uri};
use serde::Serialize;

/// An API call, by its RBAC attributes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(untagged)]
pub enum Call {
    /// A request for a resource.
    Resource {
        /// Verb, such as `list` or `patch`.
        verb: String,
        /// API group, empty for the core group.
        group: String,
        /// Resource, with its subresource as in `pods/log`.
        resource: String,
        /// Namespace, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        namespace: Option<String>,
        /// Object name, if any.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// A request for a non-resource URL.
    NonResource {
        /// HTTP method in lower case.
        verb: String,
        /// URL path.
        url: String,
    },
}

impl Call {
    /// Returns the call of a request.
    pub(crate) fn of(method: &Method, uri: &Uri) -> Self {
        let parts: Vec<&str> = uri
            .path()
            .split('/')
            .filter(|part| !part.is_empty())
            .collect();
        let (group, rest) = match parts.as_slice() {
            ["api", _, rest @ ..] if !rest.is_empty() => ("", rest),
            ["apis", group, _, rest @ ..] if !rest.is_empty() => (*group, rest),
            _ => {
                return Self::NonResource {
                    verb: method.as_str().to_lowercase(),
                    url: uri.path().to_owned(),
                };
            }
        };
        let (namespace, rest) = match rest {
            // A namespace belongs to itself.
            ["namespaces", name] | ["namespaces", name, "status" | "finalize"] => {
                (Some(*name), rest)
            }
            ["namespaces", name, rest @ ..] => (Some(*name), rest),
            _ => (None, rest),
        };
        let name = rest.get(1).map(|name| (*name).to_owned());
        let query = uri.query().unwrap_or_default();
        let verb = verb(method, name.is_some(), query);
        let resource = match (rest.first(), rest.get(2)) {
            (Some(resource), Some(subresource)) => format!("{resource}/{subresource}"),
            (resource, _) => resource.copied().unwrap_or_default().to_owned(),
        };
        Self::Resource {
            verb: verb.to_owned(),
            group: group.to_owned(),
            resource,
            namespace: namespace.map(ToOwned::to_owned),
            name: name.or_else(|| selected_name(verb, query)),
        }
    }

    /// Replaces the verb.
    pub(crate) fn with_verb(mut self, new: &str) -> Self {
        let (Self::Resource { verb, .. } | Self::NonResource { verb, .. }) = &mut self;
        new.clone_into(verb);
        self
    }

    /// Returns the verb.
    pub fn verb(&self) -> &str {
        let (Self::Resource { verb, .. } | Self::NonResource { verb, .. }) = self;
        verb
    }
}

fn verb(method: &Method, has_name: bool, query: &str) -> &'static str {
    match *method {
        Method::POST => "create",
        Method::PUT => "update",
        Method::PATCH => "patch",
        Method::DELETE if has_name => "delete",
        Method::DELETE => "deletecollection",
        _ if has_name => "get",
        _ if is_watch(query) => "watch",
        _ => "list",
    }
}

fn is_watch(query: &str) -> bool {
    let value = argument(query, "watch");
    value.is_some_and(|value| value != "0" && !value.eq_ignore_ascii_case("false"))
}

/// Returns the object name of a list or watch restricted to one object.
fn selected_name(verb: &str, query: &str) -> Option<String> {
    if !matches!(verb, "list" | "watch") {
        return None;
    }
    let selector = argument(query, "fieldSelector")?;
    let mut terms = selector.split(',');
    let name = terms.find_map(|term| term.strip_prefix("metadata.name="))?;
    Some(name.trim_start_matches('=').to_owned())
}

fn argument(query: &str, name: &str) -> Option<String> {
    let mut arguments = form_urlencoded::parse(query.as_bytes());
    let found = arguments.find(|(known, _)| known == name);
    found.map(|(_, value)| value.into_owned())
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NonResource { verb, url } => write!(f, "{verb} {url}"),
            Self::Resource {
                verb,
                group,
                resource,
                namespace,
                name,
            } => {
                write!(f, "{verb} {resource}")?;
                if !group.is_empty() {
                    write!(f, " of {group}")?;
                }
                if let Some(name) = name {
                    write!(f, ", {name}")?;
                }
                match namespace {
                    Some(namespace) => write!(f, " in namespace {namespace}"),
                    None => Ok(()),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(method: &Method, uri: &str) -> String {
        Call::of(method, &uri.parse().unwrap()).to_string()
    }

    #[test]
    fn requests_map_to_verbs_and_resources() {
        for (method, uri, expected) in [
            (Method::GET, "/api/v1/pods", "list pods"),
            (Method::GET, "/api/v1/pods?watch=true&limit=5", "watch pods"),
            (Method::GET, "/api/v1/pods?watch=0", "list pods"),
            (Method::GET, "/api/v1/nodes/n", "get nodes, n"),
            (
                Method::GET,
                "/apis/apps/v1/namespaces/shop/deployments?watch=1",
                "watch deployments of apps in namespace shop",
            ),
            (
                Method::POST,
                "/apis/apps/v1/namespaces/shop/deployments?fieldManager=f",
                "create deployments of apps in namespace shop",
            ),
            (
                Method::PUT,
                "/apis/apps/v1/namespaces/shop/deployments/web",
                "update deployments of apps, web in namespace shop",
            ),
            (
                Method::PATCH,
                "/apis/apps/v1/namespaces/shop/deployments/web/status",
                "patch deployments/status of apps, web in namespace shop",
            ),
            (
                Method::DELETE,
                "/api/v1/namespaces/shop/pods/web",
                "delete pods, web in namespace shop",
            ),
            (
                Method::DELETE,
                "/api/v1/namespaces/shop/pods",
                "deletecollection pods in namespace shop",
            ),
            (
                Method::POST,
                "/api/v1/namespaces/shop/pods/web/eviction",
                "create pods/eviction, web in namespace shop",
            ),
            (
                Method::GET,
                "/api/v1/namespaces/shop/pods/web/log?follow=true",
                "get pods/log, web in namespace shop",
            ),
        ] {
            assert_eq!(call(&method, uri), expected, "{method} {uri}");
        }
    }

    #[test]
    fn a_namespace_belongs_to_itself() {
        for (uri, expected) in [
            ("/api/v1/namespaces", "list namespaces"),
            (
                "/api/v1/namespaces/shop",
                "get namespaces, shop in namespace shop",
            ),
            (
                "/api/v1/namespaces/shop/status",
                "get namespaces/status, shop in namespace shop",
            ),
        ] {
            assert_eq!(call(&Method::GET, uri), expected);
        }
    }

    #[test]
    fn a_field_selector_names_the_object() {
        assert_eq!(
            call(
                &Method::GET,
                "/api/v1/secrets?fieldSelector=metadata.name%3Dkey%2Ctype%3Dx&watch=true"
            ),
            "watch secrets, key"
        );
        let deleted = "/api/v1/secrets?fieldSelector=metadata.name%3Dkey";
        assert_eq!(call(&Method::DELETE, deleted), "deletecollection secrets");
    }

    #[test]
    fn other_paths_are_non_resource_urls() {
        for uri in ["/version", "/api", "/api/v1", "/apis/apps/v1", "/metrics/x"] {
            assert_eq!(call(&Method::GET, uri), format!("get {uri}"));
        }
        assert_eq!(call(&Method::POST, "/hook?a=b"), "post /hook");
    }
}
