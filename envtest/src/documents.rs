//! Applies untyped objects and waits until CRDs are served.

use serde::Serialize;
use serde_json::Value;

use crate::{Error, api::Api};

pub(crate) fn to_values<D: Serialize>(
    documents: impl IntoIterator<Item = D>,
) -> Result<Vec<Value>, Error> {
    let to_value = |document| {
        serde_json::to_value(document).map_err(|error| Error::InvalidObject {
            document: "object".to_owned(),
            problem: error.to_string(),
        })
    };
    documents.into_iter().map(to_value).collect()
}

/// Applies objects in order and waits until CRDs are served.
pub(crate) async fn apply(api: &Api, documents: &[Value]) -> Result<(), Error> {
    let mut crds = Vec::new();
    for document in documents {
        let is_crd = document["kind"] == "CustomResourceDefinition";
        if !is_crd {
            // It may be an instance of one of them.
            wait_until_served(api, &mut crds).await?;
        }
        let path = path(api, document).await?;
        api.apply(&path, document).await?;
        if is_crd {
            crds.push(document);
        }
    }
    wait_until_served(api, &mut crds).await
}

async fn wait_until_served(api: &Api, crds: &mut Vec<&Value>) -> Result<(), Error> {
    for crd in crds.drain(..) {
        wait_until_discoverable(api, crd).await?;
    }
    Ok(())
}

/// Waits until every served version of a CRD is served and discoverable.
async fn wait_until_discoverable(api: &Api, crd: &Value) -> Result<(), Error> {
    let spec = &crd["spec"];
    let (group, plural) = (text(&spec["group"]), text(&spec["names"]["plural"]));
    let versions = spec["versions"].as_array().into_iter().flatten();
    for version in versions.filter(|version| version["served"] == true) {
        let root = format!("/apis/{group}/{}", text(&version["name"]));
        let path = format!("{root}/{plural}?limit=1");
        let check = || async {
            if api.get(&path).await?.is_none() {
                return Ok(Some("not served".to_owned()));
            }
            let listed = api.get(&root).await?.unwrap_or_default();
            let mut resources = listed["resources"].as_array().into_iter().flatten();
            let is_listed = resources.any(|resource| resource["name"] == plural);
            Ok((!is_listed).then(|| "not discoverable".to_owned()))
        };
        api.poll_until(&title(crd), check).await?;
    }
    Ok(())
}

/// Returns the path of an object, by discovery.
async fn path(api: &Api, document: &Value) -> Result<String, Error> {
    let invalid = |problem: &str| Error::InvalidObject {
        document: title(document),
        problem: problem.to_owned(),
    };
    let field = |value: &Value, problem| {
        value
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| invalid(problem))
    };
    let version = field(&document["apiVersion"], "`apiVersion` is missing")?;
    let kind = field(&document["kind"], "`kind` is missing")?;
    let metadata = &document["metadata"];
    let name = field(&metadata["name"], "`metadata.name` is missing")?;
    let root = if version.contains('/') { "apis" } else { "api" };
    let root = format!("/{root}/{version}");

    let listed = api.get(&root).await?.unwrap_or_default();
    let mut resources = listed["resources"].as_array().into_iter().flatten();
    let is_it = |resource: &&Value| {
        resource["kind"] == kind.as_str() && !text(&resource["name"]).contains('/')
    };
    let resource = resources
        .find(is_it)
        .ok_or_else(|| invalid("unknown kind; install its CRD first"))?;
    let plural = text(&resource["name"]);
    Ok(if resource["namespaced"] == true {
        let namespace = metadata["namespace"].as_str().unwrap_or("default");
        format!("{root}/namespaces/{namespace}/{plural}/{name}")
    } else {
        format!("{root}/{plural}/{name}")
    })
}

fn title(document: &Value) -> String {
    let name = document["metadata"]["name"].as_str().unwrap_or("(unnamed)");
    format!("{} {name}", document["kind"].as_str().unwrap_or("object"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
