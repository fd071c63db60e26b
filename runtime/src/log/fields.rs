//! The fields of a span as JSON.
//!
//! A span is made for every reconcile, and seldom is a line logged in it. `tracing-subscriber`'s own formatter makes a sorted map of JSON values
//! for each; this one writes the fields as they come. A line looks the same, because the fields are read again for it; only
//! the mark of a raw name (`r#type`) stays.

use std::fmt;

use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
use tracing::span::Record;
use tracing_serde::SerdeMapVisitor;
use tracing_subscriber::{
    field::RecordFields,
    fmt::{FormatFields, FormattedFields, format::Writer},
};

/// See the module.
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonFields;

impl<'a> FormatFields<'a> for JsonFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'a>, fields: R) -> fmt::Result {
        let text = serde_json::to_string(&Recorded(fields)).map_err(|_| fmt::Error)?;
        writer.write_str(&text)
    }

    /// What is recorded later.
    fn add_fields(
        &self,
        current: &'a mut FormattedFields<Self>,
        fields: &Record<'_>,
    ) -> fmt::Result {
        let merged = merged(&current.fields, fields).map_err(|_| fmt::Error)?;
        current.fields = merged;
        Ok(())
    }
}

fn merged(current: &str, added: &Record<'_>) -> serde_json::Result<String> {
    let mut fields: Map<String, Value> = match current {
        "" => Map::new(),
        current => serde_json::from_str(current)?,
    };
    let added = serde_json::to_string(&Recorded(added))?;
    fields.extend(serde_json::from_str::<Map<String, Value>>(&added)?);
    serde_json::to_string(&fields)
}

/// Fields to be serialised.
struct Recorded<R>(R);

impl<R: RecordFields> Serialize for Recorded<R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut visitor = SerdeMapVisitor::new(serializer.serialize_map(None)?);
        self.0.record(&mut visitor);
        visitor.finish()
    }
}
