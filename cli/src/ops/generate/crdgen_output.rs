//! Parses the output of crdgen: a list of CRDs with distinct names.

use std::collections::BTreeSet;

use kb_model::crd::{Crd, limit_descriptions};
use serde_json::Value;

use crate::problem::Problem;

/// Parses the documents into CRDs, sorted by group and plural.
pub(super) fn crds_of(
    documents: Vec<Value>,
    max_desc_len: Option<usize>,
) -> Result<Vec<Crd>, Vec<Problem>> {
    let mut crds = Vec::new();
    let mut problems = Vec::new();
    for (index, document) in documents.into_iter().enumerate() {
        match crd_of(document, max_desc_len) {
            Ok(crd) => crds.push(crd),
            Err(reason) => problems.push(invalid(format!(
                "document {} of what crdgen printed {reason}",
                index + 1
            ))),
        }
    }
    crds.sort_by(|a, b| (&a.group, &a.plural).cmp(&(&b.group, &b.plural)));
    let mut names = BTreeSet::new();
    for crd in &crds {
        if !names.insert(crd.name()) {
            problems.push(invalid(format!(
                "crdgen printed the CRD {} twice",
                crd.name()
            )));
        }
    }
    if problems.is_empty() {
        Ok(crds)
    } else {
        Err(problems)
    }
}

fn invalid(message: String) -> Problem {
    Problem::new(
        message,
        "let api/src/bin/crdgen.rs print what `kb::crdgen` makes of the crate's definitions",
    )
}

fn crd_of(mut document: Value, max_desc_len: Option<usize>) -> Result<Crd, String> {
    if document["apiVersion"] != "apiextensions.k8s.io/v1"
        || document["kind"] != "CustomResourceDefinition"
    {
        return Err("is no CustomResourceDefinition of apiextensions.k8s.io/v1".to_owned());
    }
    let spec = &document["spec"];
    let (group, kind, plural) = (
        name(&spec["group"], "spec.group")?,
        name(&spec["names"]["kind"], "spec.names.kind")?,
        name(&spec["names"]["plural"], "spec.names.plural")?,
    );
    if let Some(length) = max_desc_len {
        limit_descriptions(&mut document, length);
    }
    Ok(Crd {
        group,
        kind,
        plural,
        document,
    })
}

fn name<T: std::str::FromStr<Err: ToString>>(value: &Value, field: &str) -> Result<T, String> {
    let text = value.as_str().ok_or_else(|| format!("has no {field}"))?;
    text.parse()
        .map_err(|error: T::Err| format!("has a {field} that is none: {}", error.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn document(group: &str, kind: &str, plural: &str) -> Value {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "spec": {
                "group": group,
                "names": {"kind": kind, "plural": plural},
                "versions": [{"schema": {"openAPIV3Schema": {"description": "A word. Another."}}}],
            },
        })
    }

    fn refused(documents: Vec<Value>) -> String {
        crds_of(documents, None).unwrap_err()[0].message.clone()
    }

    #[test]
    fn sorts_crds_and_truncates_descriptions() {
        let documents = vec![
            document("b.example.com", "A", "as"),
            document("a.example.com", "B", "bs"),
        ];
        let crds = crds_of(documents, Some(10)).unwrap();
        let names: Vec<String> = crds.iter().map(Crd::name).collect();
        assert_eq!(names, ["bs.a.example.com", "as.b.example.com"]);
        let schema = &crds[0].document["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
        assert_eq!(schema["description"], "A word.");
    }

    #[test]
    fn rejects_other_documents() {
        assert!(
            refused(vec![json!({"kind": "Role"})])
                .contains("document 1 of what crdgen printed is no Custom")
        );
        assert!(refused(vec![document("a.example.com", "A", "A S")]).contains("spec.names.plural"));
        assert!(refused(vec![document("../x", "A", "as")]).contains("spec.group"));
        let twice = document("a.example.com", "A", "as");
        assert!(refused(vec![twice.clone(), twice]).contains("as.a.example.com twice"));
    }
}
