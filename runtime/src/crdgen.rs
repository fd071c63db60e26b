//! The binary `crdgen` of an API crate, which prints the CRDs of its compiled types.
//!
//! `kb-rs generate crd` parses the sources, and runs this binary only if they do not determine a type, such as one of another crate or a
//! computed default. Prints the documents as built: the types of k8s-openapi would turn every minimum and maximum into a float.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    process::ExitCode,
};

use kb_model::crd::{self, Options};
use serde_json::Value;

use crate::{CrdDefinition, crds::format_problems, schema::describe};

const USAGE: &str = "usage: crdgen [--describe-core-types] [--max-desc-len N] [--converted CRD]...";

/// Prints the CRDs of these kinds as a JSON array. Called by `api/src/bin/crdgen.rs`.
///
/// Parses the command line: `--describe-core-types` adds the descriptions of Kubernetes types, `--max-desc-len N` truncates descriptions, and
/// `--converted CRD` marks a CRD with a conversion webhook, whose versions may differ. Prints all problems to standard error and returns
/// exit code 1 if there are any, or 2 for invalid arguments.
pub fn crdgen(definitions: impl IntoIterator<Item = CrdDefinition>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let definitions: Vec<CrdDefinition> = definitions.into_iter().collect();
    match print(&arguments, definitions, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // There is no way to report an error of standard error.
            let _ = writeln!(io::stderr(), "{}", failure.message);
            ExitCode::from(failure.code)
        }
    }
}

#[derive(Debug)]
struct Failure {
    code: u8,
    message: String,
}

fn print(
    arguments: &[String],
    definitions: Vec<CrdDefinition>,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let (options, converted) = options(arguments, &definitions)?;
    let failed = |message| Failure { code: 1, message };
    let definitions: Vec<_> = definitions.into_iter().map(crd::Definition::from).collect();
    let crds = crd::build(&definitions, &options)
        .map_err(|problems| failed(format_problems(&problems)))?;
    let losses = crd::losses(&definitions, &converted);
    if !losses.is_empty() {
        return Err(failed(format_problems(&losses)));
    }
    let documents: Vec<Value> = crds.into_iter().map(|crd| crd.document).collect();
    let written = serde_json::to_writer(&mut *output, &documents).map_err(io::Error::from);
    written
        .and_then(|()| writeln!(output))
        .and_then(|()| output.flush())
        .map_err(|error| failed(format!("failed to print CRDs: {error}")))
}

fn options(
    arguments: &[String],
    definitions: &[CrdDefinition],
) -> Result<(Options, BTreeSet<String>), Failure> {
    let mut options = Options::default();
    let mut converted = BTreeSet::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--describe-core-types" => options.core_descriptions = core_descriptions(definitions),
            "--max-desc-len" => {
                let length = arguments.next().and_then(|length| length.parse().ok());
                options.max_desc_len =
                    Some(length.ok_or_else(|| usage("--max-desc-len requires a number"))?);
            }
            "--converted" => {
                let name = arguments.next();
                converted.insert(
                    name.cloned()
                        .ok_or_else(|| usage("--converted requires the name of a CRD"))?,
                );
            }
            other => return Err(usage(&format!("unknown option `{other}`"))),
        }
    }
    Ok((options, converted))
}

fn usage(message: &str) -> Failure {
    Failure {
        code: 2,
        message: format!("{message}\n{USAGE}"),
    }
}

fn core_descriptions(definitions: &[CrdDefinition]) -> BTreeMap<String, Value> {
    let core = definitions.iter().flat_map(CrdDefinition::core);
    let distinct: BTreeMap<_, _> = core.collect();
    let described = |(component, schema): (&&str, &_)| ((*component).to_owned(), describe(*schema));
    distinct.into_iter().map(described).collect()
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::PodTemplateSpec;

    use super::*;
    use crate::Schema;

    const RESOURCE: &str = r#"{"group":"example.com","version":"v1","kind":"Memo","plural":"memos","singular":"memo",
        "listKind":"MemoList","scope":"Namespaced","spec":0,"specLayout":"required","served":true}"#;

    fn printed(arguments: &[&str]) -> Result<Value, Failure> {
        let definition = CrdDefinition::parse(RESOURCE, &[PodTemplateSpec::schema_type]);
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let mut output = Vec::new();
        print(&arguments, vec![definition], &mut output)?;
        Ok(serde_json::from_slice(&output).expect("the output is JSON"))
    }

    fn spec(documents: &Value) -> &Value {
        &documents[0]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    }

    #[test]
    fn prints_crds_as_an_array() {
        let documents = printed(&[]).unwrap();
        assert_eq!(documents[0]["metadata"]["name"], "memos.example.com");
        let port = &spec(&documents)["properties"]["spec"]["properties"]["priority"];
        assert_eq!(port["format"], "int32");
        assert!(port.get("description").is_none());
    }

    #[test]
    fn describes_kubernetes_types_on_request() {
        let documents = printed(&["--describe-core-types"]).unwrap();
        let port = &spec(&documents)["properties"]["spec"]["properties"]["priority"];
        assert!(
            port["description"]
                .as_str()
                .unwrap()
                .starts_with("The priority value.")
        );
        let cut = printed(&["--describe-core-types", "--max-desc-len", "19"]).unwrap();
        let port = &spec(&cut)["properties"]["spec"]["properties"]["priority"];
        assert_eq!(port["description"], "The priority value.");
    }

    #[test]
    fn an_invalid_argument_is_a_usage_error() {
        let failure = printed(&["--max-desc-len", "many"]).unwrap_err();
        assert_eq!(failure.code, 2);
        let failure = printed(&["--what"]).unwrap_err();
        assert_eq!(failure.message, format!("unknown option `--what`\n{USAGE}"));
    }

    #[test]
    fn reports_lossy_versions_unless_converted() {
        let run = |arguments: &[&str]| {
            let versions = [
                (
                    RESOURCE.replace("\"served\"", "\"storage\":true,\"served\""),
                    String::schema_type as _,
                ),
                (RESOURCE.replace("\"v1\"", "\"v2\""), i32::schema_type as _),
            ];
            let definitions =
                versions.map(|(resource, spec)| CrdDefinition::parse(resource.leak(), &[spec]));
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            print(&arguments, definitions.into(), &mut Vec::new())
        };
        let failure = run(&[]).unwrap_err();
        assert_eq!(failure.code, 1);
        assert!(failure.message.contains(".spec"), "{}", failure.message);
        run(&["--converted", "memos.example.com"]).unwrap();
    }

    #[test]
    fn prints_nothing_if_there_are_problems() {
        let twice = vec![
            CrdDefinition::parse(RESOURCE, &[String::schema_type]),
            CrdDefinition::parse(RESOURCE, &[String::schema_type]),
        ];
        let mut output = Vec::new();
        let failure = print(&[], twice, &mut output).unwrap_err();
        assert_eq!(failure.code, 1);
        assert!(output.is_empty());
    }
}
