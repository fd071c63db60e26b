//! The program `crdgen` of an API: it prints the CRDs that the compiled types give.
//!
//! `kb-rs generate crd` reads sources and needs no such program, except where a type cannot be known from them (one of another
//! crate, a computed default). Documents are printed as they were built: through the types of k8s-openapi every bound would become a float.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write},
    process::ExitCode,
};

use kb_model::crd::{self, Options};
use serde_json::Value;

use crate::{CrdDefinition, crds::lines, schema::describe};

const USAGE: &str = "usage: crdgen [--describe-core-types] [--max-desc-len N] [--converted CRD]...";

/// Prints the CRDs of these kinds as one JSON array: all that `api/src/bin/crdgen.rs` does.
///
/// `--describe-core-types` adds the descriptions of Kubernetes' own types, `--max-desc-len N` cuts descriptions, `--converted CRD` names a
/// CRD with a conversion webhook, whose versions may differ. Problems go to the standard error, all of them; the exit code is then 1.
pub fn crdgen(definitions: impl IntoIterator<Item = CrdDefinition>) -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let definitions: Vec<CrdDefinition> = definitions.into_iter().collect();
    match print(&arguments, definitions, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Nobody is left to be told that this failed.
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
    let crds = crd::build(&definitions, &options).map_err(|problems| failed(lines(&problems)))?;
    let losses = crd::losses(&definitions, &converted);
    if !losses.is_empty() {
        return Err(failed(lines(&losses)));
    }
    let documents: Vec<Value> = crds.into_iter().map(|crd| crd.document).collect();
    let written = serde_json::to_writer(&mut *output, &documents).map_err(io::Error::from);
    written
        .and_then(|()| writeln!(output))
        .and_then(|()| output.flush())
        .map_err(|error| failed(format!("cannot print the CRDs: {error}")))
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
                    Some(length.ok_or_else(|| usage("--max-desc-len needs a number"))?);
            }
            "--converted" => {
                let name = arguments.next();
                converted.insert(
                    name.cloned()
                        .ok_or_else(|| usage("--converted needs a CRD"))?,
                );
            }
            other => return Err(usage(&format!("`{other}` is no option of crdgen"))),
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
        "listKind":"MemoList","scope":"Namespaced","spec":0,"specPlace":"required","served":true}"#;

    fn printed(arguments: &[&str]) -> Result<Value, Failure> {
        let definition = CrdDefinition::read(RESOURCE, &[PodTemplateSpec::schema_type]);
        let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
        let mut output = Vec::new();
        print(&arguments, vec![definition], &mut output)?;
        Ok(serde_json::from_slice(&output).expect("what is printed is JSON"))
    }

    fn spec(documents: &Value) -> &Value {
        &documents[0]["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    }

    #[test]
    fn documents_are_printed_as_one_array() {
        let documents = printed(&[]).unwrap();
        assert_eq!(documents[0]["metadata"]["name"], "memos.example.com");
        let port = &spec(&documents)["properties"]["spec"]["properties"]["priority"];
        assert_eq!(port["format"], "int32");
        assert!(port.get("description").is_none());
    }

    #[test]
    fn kubernetes_types_are_described_if_asked() {
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
    fn a_wrong_argument_is_a_usage_error() {
        let failure = printed(&["--max-desc-len", "many"]).unwrap_err();
        assert_eq!(failure.code, 2);
        let failure = printed(&["--what"]).unwrap_err();
        assert_eq!(
            failure.message,
            format!("`--what` is no option of crdgen\n{USAGE}")
        );
    }

    #[test]
    fn versions_that_lose_fields_are_a_problem_unless_they_are_converted() {
        let run = |arguments: &[&str]| {
            let versions = [
                (
                    RESOURCE.replace("\"served\"", "\"storage\":true,\"served\""),
                    String::schema_type as _,
                ),
                (RESOURCE.replace("\"v1\"", "\"v2\""), i32::schema_type as _),
            ];
            let definitions =
                versions.map(|(resource, spec)| CrdDefinition::read(resource.leak(), &[spec]));
            let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
            print(&arguments, definitions.into(), &mut Vec::new())
        };
        let failure = run(&[]).unwrap_err();
        assert_eq!(failure.code, 1);
        assert!(failure.message.contains(".spec"), "{}", failure.message);
        run(&["--converted", "memos.example.com"]).unwrap();
    }

    #[test]
    fn problems_are_told_and_nothing_is_printed() {
        let twice = vec![
            CrdDefinition::read(RESOURCE, &[String::schema_type]),
            CrdDefinition::read(RESOURCE, &[String::schema_type]),
        ];
        let mut output = Vec::new();
        let failure = print(&[], twice, &mut output).unwrap_err();
        assert_eq!(failure.code, 1);
        assert!(output.is_empty());
    }
}
