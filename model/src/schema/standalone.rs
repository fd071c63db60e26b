//! The schema of a single type, for embedding in other documents.

use serde_json::Value;

use super::Builder;
use crate::api::{Type, Types};
use crate::crd::{Options, Problem};

/// Returns the schema of a type, with everything inlined.
pub fn schema(ty: &Type, types: &Types) -> Result<Value, Vec<Problem>> {
    let options = Options::default();
    let mut builder = Builder::new(types, &options, String::new());
    let schema = builder.at_root(ty);
    let (_, problems) = builder.finish();
    if problems.is_empty() {
        Ok(schema.into())
    } else {
        Err(problems)
    }
}
