//! Rejects formats that the API server does not know.

use kb_model::fit::{format_requirement, formats};
use syn::LitStr;

use crate::did_you_mean::did_you_mean;
use crate::errors::error_with_help;

/// Checks that the API server knows the format for some type. It ignores any other.
pub(super) fn check(format: &LitStr) -> syn::Result<()> {
    let text = format.value();
    if format_requirement(&text).is_some() {
        return Ok(());
    }
    let problem = format!("unknown format `{text}`");
    let known = ["integer", "number", "string"]
        .into_iter()
        .flat_map(|json_type| formats(json_type).iter().copied());
    let help = match text.as_str() {
        "ip" => "use `ipv4` or `ipv6`".to_owned(),
        "url" => "use `uri`".to_owned(),
        "uint32" | "uint64" => "use `int64`, with `minimum = 0`".to_owned(),
        _ => did_you_mean(&text, known).unwrap_or_else(|| "use `pattern`, or remove it".to_owned()),
    };
    Err(error_with_help(format, problem, help))
}
