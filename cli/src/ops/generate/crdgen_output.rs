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
                "document {} of crdgen's output {reason}",
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
        "restore api/src/bin/crdgen.rs: it must print the result of `kb::crdgen`",
    )
}

fn crd_of(mut document: Value, max_desc_len: Option<usize>) -> Result<Crd, String> {
    if document["apiVersion"] != "apiextensions.k8s.io/v1"
        || document["kind"] != "CustomResourceDefinition"
    {
        return Err("is not an apiextensions.k8s.io/v1 CustomResourceDefinition".to_owned());
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
        .map_err(|error: T::Err| format!("has an invalid {field}: {}", error.to_string()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use snapbox::{assert_data_eq, str};

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
        let twice = document("a.example.com", "A", "as");
        let messages = [
            refused(vec![json!({"kind": "Role"})]),
            refused(vec![document("a.example.com", "A", "A S")]),
            refused(vec![document("../x", "A", "as")]),
            refused(vec![twice.clone(), twice]),
        ];
        assert_data_eq!(
            messages.join("\n"),
            str![[r#"
document 1 of crdgen's output is not an apiextensions.k8s.io/v1 CustomResourceDefinition
document 1 of crdgen's output has an invalid spec.names.plural: plural "A S" contains the upper-case letter 'A'
document 1 of crdgen's output has an invalid spec.group: API group "../x" contains a slash
crdgen printed the CRD as.a.example.com twice
"#]]
        );
    }
}
