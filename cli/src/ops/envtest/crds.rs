//! Parses CRD files.

use serde_json::Value;

use crate::problem::Problem;

/// Returns the CRDs of a file. Ignores other documents, such as a kustomization.
pub(crate) fn crds_in(file: &str, text: &str) -> Result<Vec<Value>, Problem> {
    let documents: Vec<Value> = serde_saphyr::from_multiple(text).map_err(|error| {
        let error = error.to_string();
        let problem = error.lines().next().unwrap_or_default();
        let message = format!("failed to parse {file}: {problem}");
        Problem::new(
            message,
            "fix it, or regenerate it with `kb-rs generate crd`",
        )
    })?;
    let is_crd = |document: &Value| document["kind"] == "CustomResourceDefinition";
    Ok(documents.into_iter().filter(is_crd).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn returns_only_crds() {
        let text = "---\nkind: CustomResourceDefinition\nspec: {group: a}\n---\nkind: Kustomization\n---\n";
        let crds = crds_in("crd.yaml", text).unwrap();
        assert_eq!(crds.len(), 1);
        assert_eq!(crds[0]["spec"]["group"], "a");
        assert!(crds_in("crd.yaml", "").unwrap().is_empty());
    }

    #[test]
    fn names_an_invalid_file() {
        let problem = crds_in("config/crd/bases/a.yaml", "a: [").unwrap_err();
        let name = "config/crd/bases/a.yaml";
        assert!(problem.message.contains(name), "{}", problem.message);
    }
}
