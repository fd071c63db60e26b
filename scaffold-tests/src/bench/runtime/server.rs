//! A client whose API server is a function: it lists Deployments in pages, and a watch of them says nothing.
//!
//! The objects are made page by page, when they are asked for, so that the process that caches them holds nothing else.

use std::convert::Infallible;

use anyhow::{Context, Result};
use futures::stream;
use http::{Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, StreamBody, combinators::UnsyncBoxBody};
use hyper::body::{Bytes, Frame};
use kube::{Client, client::Body};
use serde_json::Value;
use tower::service_fn;

/// A Deployment as an API server shows it: an operator applied it, and Kubernetes' controller wrote its status.
const DEPLOYMENT: &str = include_str!("deployment.json");
/// Who applied it.
pub(crate) const MANAGER: &str = "shop-operator";

type Answer = Response<UnsyncBoxBody<Bytes, Infallible>>;

/// A client of a server with so many Deployments.
pub(crate) fn client(objects: usize) -> Result<Client> {
    let deployment = wire()?;
    let answers = service_fn(move |request: Request<Body>| {
        let answer = answer(&request, &deployment, objects);
        std::future::ready(Ok::<_, Infallible>(answer))
    });
    Ok(Client::new(answers, "default"))
}

/// Bytes of one object.
pub(crate) fn size() -> Result<usize> {
    Ok(numbered(&wire()?, 0).len())
}

/// The Deployment as it is sent: without blanks.
fn wire() -> Result<String> {
    let deployment: Value = serde_json::from_str(DEPLOYMENT).context("deployment.json")?;
    Ok(deployment.to_string())
}

fn numbered(deployment: &str, number: usize) -> String {
    deployment.replace("NUMBER", &format!("{number:012}"))
}

fn answer(request: &Request<Body>, deployment: &str, objects: usize) -> Answer {
    if parameter(request, "watch").is_some() {
        let silence = stream::pending::<Result<Frame<Bytes>, Infallible>>();
        return Response::new(StreamBody::new(silence).boxed_unsync());
    }
    let number = |name| parameter(request, name).map(str::parse);
    let (Some(Ok(limit)), Ok(start)) = (number("limit"), number("continue").unwrap_or(Ok(0)))
    else {
        let mut refusal = Response::new(Full::default().boxed_unsync());
        *refusal.status_mut() = StatusCode::BAD_REQUEST;
        return refusal;
    };
    let page = page(deployment, start, objects.min(start + limit), objects);
    Response::new(Full::from(page).boxed_unsync())
}

fn page(deployment: &str, start: usize, end: usize, objects: usize) -> String {
    let items: Vec<_> = (start..end)
        .map(|number| numbered(deployment, number))
        .collect();
    let rest = if end < objects {
        format!(r#","continue":"{end}""#)
    } else {
        String::new()
    };
    format!(
        r#"{{"kind":"DeploymentList","apiVersion":"apps/v1","metadata":{{"resourceVersion":"7"{rest}}},"items":[{}]}}"#,
        items.join(",")
    )
}

/// The value of a parameter of the query.
fn parameter<'a>(request: &'a Request<Body>, name: &str) -> Option<&'a str> {
    let query = request.uri().query().unwrap_or_default();
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    pairs.find_map(|(key, value)| (key == name).then_some(value))
}
