//! A Kubernetes event, and the requests that create it or count it in a series.

use std::{sync::Arc, time::Duration};

use k8s_openapi::{
    api::{
        core::v1::ObjectReference,
        events::v1::{Event as Body, EventSeries},
    },
    apimachinery::pkg::apis::meta::v1::{MicroTime, ObjectMeta},
    jiff::Timestamp,
};
use kube::{
    Client, Resource,
    api::{Patch, PatchParams, PostParams},
    core::Request,
    runtime::events::{EventType, Reporter},
};
use serde_json::json;
use tokio::time::Instant;

use super::{digest::digest, owner::title};
use crate::lru_map::LruMap;

/// Namespace of events about cluster-scoped objects.
const NAMESPACE: &str = "default";
/// Bytes accepted by the API server.
const MAX_NOTE: usize = 1024;
/// Bytes of a reason or an action accepted by the API server.
const MAX_REASON: usize = 128;
/// Bytes of an object name in an event name, which also has a dot and a hexadecimal timestamp.
const MAX_NAME: usize = 253 - 1 - 16;
/// An equal event after this time starts a new series, as in client-go.
const SERIES_TIMEOUT: Duration = Duration::from_secs(6 * 60);
/// Maximum number of tracked series.
const MAX_SERIES: usize = 512;

/// An event about an object.
#[derive(Debug)]
pub(super) struct Event {
    /// Kind, name and namespace of the object, for logs.
    pub(super) title: String,
    regarding: ObjectReference,
    type_: &'static str,
    pub(super) reason: String,
    action: String,
    note: String,
}

impl Event {
    /// Creates an event. Values that are too long are truncated.
    pub(super) fn new<K>(
        object: &K,
        type_: EventType,
        reason: &str,
        action: &str,
        note: String,
    ) -> Self
    where
        K: Resource<DynamicType = ()>,
    {
        Self {
            title: title(object),
            regarding: object.object_ref(&()),
            type_: match type_ {
                EventType::Normal => "Normal",
                EventType::Warning => "Warning",
            },
            reason: truncate(reason.to_owned(), MAX_REASON),
            action: truncate(action.to_owned(), MAX_REASON),
            note: truncate(note, MAX_NOTE),
        }
    }

    fn namespace(&self) -> &str {
        self.regarding.namespace.as_deref().unwrap_or(NAMESPACE)
    }

    /// Returns a digest that is equal for events of the same series.
    fn key(&self) -> u64 {
        let Self {
            title,
            regarding,
            type_,
            reason,
            action,
            note,
        } = self;
        digest(&(title, &regarding.uid, type_, reason, action, note))
    }

    /// Returns the name of the event that was created at this time.
    fn name(&self, time: Timestamp) -> String {
        let is_valid = |name: &&String| {
            let is_valid_byte = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.');
            name.len() <= MAX_NAME && name.bytes().all(is_valid_byte)
        };
        // Names of some kinds are invalid for events, such as `system:node`.
        let name = self.regarding.name.as_ref().filter(is_valid);
        let name = name.or(self.regarding.uid.as_ref());
        let name = name.map_or("event", String::as_str);
        format!("{name}.{:x}", time.as_nanosecond())
    }

    fn body(&self, reporter: &Reporter, time: Timestamp) -> Body {
        let instance = reporter.instance.as_ref().unwrap_or(&reporter.controller);
        Body {
            action: Some(self.action.clone()),
            event_time: Some(MicroTime(time)),
            metadata: ObjectMeta {
                name: Some(self.name(time)),
                namespace: Some(self.namespace().to_owned()),
                ..ObjectMeta::default()
            },
            note: Some(self.note.clone()),
            reason: Some(self.reason.clone()),
            regarding: Some(self.regarding.clone()),
            reporting_controller: Some(reporter.controller.clone()),
            reporting_instance: Some(instance.clone()),
            type_: Some(self.type_.to_owned()),
            ..Body::default()
        }
    }
}

/// Truncates a string at a character boundary.
fn truncate(mut text: String, max: usize) -> String {
    if text.len() > max {
        let mut ends = (0..=max).rev();
        let end = ends.find(|end| text.is_char_boundary(*end));
        text.truncate(end.unwrap_or(0));
    }
    text
}

/// Sends events, and combines equal ones to series.
pub(super) struct EventSender {
    api: Arc<EventApi>,
    series: LruMap<u64, Series>,
}

/// State of a series.
#[derive(Debug, Clone, Copy)]
struct Series {
    /// Part of the name of the event.
    first: Timestamp,
    last: Instant,
    count: i32,
}

impl EventSender {
    pub(super) fn new(api: Arc<EventApi>) -> Self {
        Self {
            api,
            series: LruMap::new(MAX_SERIES),
        }
    }

    /// Creates an event, or increments the count of its series.
    pub(super) async fn send(&mut self, event: &Event) -> kube::Result<()> {
        let key = event.key();
        let series = self.series.get(&key).copied();
        let series = match series.filter(|series| series.last.elapsed() < SERIES_TIMEOUT) {
            Some(series) => match self.api.increment(event, series).await {
                // The event expired or was deleted.
                Err(kube::Error::Api(status)) if status.is_not_found() => {
                    self.api.create(event).await?
                }
                result => result?,
            },
            None => self.api.create(event).await?,
        };
        self.series.insert(key, series);
        Ok(())
    }
}

/// Requests for events of one reporter.
pub(super) struct EventApi {
    pub(super) client: Client,
    pub(super) reporter: Reporter,
}

impl EventApi {
    async fn create(&self, event: &Event) -> kube::Result<Series> {
        let first = Timestamp::now();
        let body = serde_json::to_vec(&event.body(&self.reporter, first));
        let body = body.map_err(kube::Error::SerdeError)?;
        let request = Request::new(Body::url_path(&(), Some(event.namespace())));
        let request = request.create(&PostParams::default(), body);
        self.request(request).await?;
        Ok(Series {
            first,
            last: Instant::now(),
            count: 1,
        })
    }

    async fn increment(&self, event: &Event, series: Series) -> kube::Result<Series> {
        let count = series.count.saturating_add(1);
        let body = EventSeries {
            count,
            last_observed_time: MicroTime(Timestamp::now()),
        };
        let patch = json!({ "series": body });
        let request = Request::new(Body::url_path(&(), Some(event.namespace())));
        let request = request.patch(
            &event.name(series.first),
            &PatchParams::default(),
            &Patch::Merge(&patch),
        );
        self.request(request).await?;
        Ok(Series {
            last: Instant::now(),
            count,
            ..series
        })
    }

    async fn request(
        &self,
        request: Result<http::Request<Vec<u8>>, kube::core::request::Error>,
    ) -> kube::Result<()> {
        let request = request.map_err(kube::Error::BuildRequest)?;
        self.client.request_text(request).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::ConfigMap;

    use super::*;

    fn event(name: &str) -> Event {
        let mut object = ConfigMap::default();
        object.metadata.name = Some(name.to_owned());
        object.metadata.uid = Some("u-1".to_owned());
        Event::new(
            &object,
            EventType::Normal,
            "Created",
            "Create",
            String::new(),
        )
    }

    #[test]
    fn an_event_has_a_valid_name() {
        let time = Timestamp::UNIX_EPOCH + Duration::from_nanos(0x12ab);
        let long = "a".repeat(MAX_NAME);
        for name in ["shop", "my.shop-1", &long] {
            assert_eq!(event(name).name(time), format!("{name}.12ab"));
        }
        let longer = "a".repeat(MAX_NAME + 1);
        for name in ["system:node", "Upper", &longer] {
            assert_eq!(event(name).name(time), "u-1.12ab", "{name}");
        }
        let latest = event(&long).name(Timestamp::from_second(16_000_000_000).unwrap());
        assert!(latest.len() <= 253, "{latest}");
    }
}
