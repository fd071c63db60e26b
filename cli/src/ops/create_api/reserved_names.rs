//! Names that the controller template uses itself, and that kinds and variables must not shadow. Tests compare them with the template.

/// Types and constants.
pub(super) const TYPES: [&str; 17] = [
    "Action",
    "Arc",
    "Cleanup",
    "Client",
    "Context",
    "Controller",
    "Err",
    "Error",
    "FINALIZER",
    "Manager",
    "NAME",
    "Objects",
    "Ok",
    "Owner",
    "Readiness",
    "Result",
    "Store",
];

/// Types and constants that deploying an image adds.
pub(super) const IMAGE_TYPES: [&str; 22] = [
    "BTreeMap",
    "Capabilities",
    "Container",
    "ContainerPort",
    "Default",
    "Deployment",
    "DeploymentSpec",
    "IntOrString",
    "LabelSelector",
    "OPERATOR",
    "ObjectMeta",
    "PORT",
    "PodSecurityContext",
    "PodSpec",
    "PodTemplateSpec",
    "ResourceExt",
    "SeccompProfile",
    "SecurityContext",
    "Service",
    "ServicePort",
    "ServiceSpec",
    "Some",
];

/// Variables and fields. `store` replaces a long plural.
pub(super) const VARIABLES: [&str; 5] = ["context", "controller", "manager", "objects", "store"];

/// Variables of the reconcile function.
pub(super) const LOCALS: [&str; 8] = [
    "applied",
    "cleanup",
    "context",
    "desired",
    "generation",
    "owner",
    "readiness",
    "status",
];

/// Variables and functions that deploying an image adds.
pub(super) const IMAGE_LOCALS: [&str; 7] = [
    "container",
    "desired_deployment",
    "desired_service",
    "label",
    "labels",
    "metadata",
    "pod",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proc_macro2::{TokenStream, TokenTree};
    use quote::ToTokens;
    use syn::Item;

    use super::{super::Request, *};
    use crate::{
        plan::{Plan, RelPath},
        project::Project,
    };

    /// Renders a controller with a finalizer that owns a Deployment and writes the status of `AppService`.
    fn rendered() -> syn::File {
        let mut request = Request::with_defaults("batch/v1/AppService".parse().unwrap());
        request.owns = vec!["apps/v1/Deployment".parse().unwrap()];
        request.finalizer = true;
        file(&request)
    }

    /// Renders a controller that deploys an image behind a Service.
    fn rendered_with_image(kind: &str) -> syn::File {
        let mut request = Request::with_defaults(format!("batch/v1/{kind}").parse().unwrap());
        request.image.reference = Some("app".parse().unwrap());
        request.image.container_port = Some("80".parse().unwrap());
        file(&request)
    }

    fn file(request: &Request) -> syn::File {
        let mut project = Project::new("demo".parse().unwrap());
        project.domain = Some("example.com".parse().unwrap());
        let context = crate::ops::project_context(&project, &crate::ops::Header::default(), None);
        let planned = super::super::plan(
            request,
            &project,
            &context,
            None,
            &|_| None,
            Plan::default(),
        );
        assert_eq!(planned.problems, []);
        let path = RelPath::new(format!("src/controller/{}.rs", request.kind.module()));
        let plan = planned.update.proposal.plan;
        let files = plan.restricted_to(std::slice::from_ref(&path)).new_files();
        syn::parse_file(&files[&path]).unwrap()
    }

    /// Returns the tokens in order, without those of attributes.
    fn tokens(stream: TokenStream, found: &mut Vec<String>) {
        for token in stream {
            match token {
                TokenTree::Group(group) if found.last().is_some_and(|last| last == "#") => {
                    drop(group);
                    found.pop();
                }
                TokenTree::Group(group) => {
                    found.push("(".to_owned());
                    tokens(group.stream(), found);
                    found.push(")".to_owned());
                }
                other => found.push(other.to_string()),
            }
        }
    }

    fn flat(item: impl ToTokens) -> Vec<String> {
        let mut found = Vec::new();
        tokens(item.into_token_stream(), &mut found);
        found
    }

    /// Returns the names of types and constants, except those after `::`.
    fn types(file: syn::File) -> BTreeSet<String> {
        let tokens = flat(file);
        let mut used = BTreeSet::new();
        for (index, token) in tokens.iter().enumerate() {
            let is_in_path = index > 0 && tokens[index - 1] == ":" && tokens[index - 2] == ":";
            let is_import = tokens[..index]
                .iter()
                .rev()
                .find(|token| *token == ";" || *token == "use");
            let is_import = is_import.is_some_and(|token| token == "use");
            if token.starts_with(char::is_uppercase) && (!is_in_path || is_import) {
                used.insert(token.clone());
            }
        }
        used
    }

    fn set<const N: usize>(names: [&str; N]) -> BTreeSet<String> {
        names.map(ToOwned::to_owned).into()
    }

    #[test]
    fn reserved_types_are_those_of_the_template() {
        let mut used = types(rendered());
        assert!(used.remove("AppService") && used.remove("Deployment"));
        // The template imports it if the controller neither owns anything nor writes a status.
        used.insert("Client".to_owned());
        assert_eq!(used, set(TYPES));
    }

    #[test]
    fn an_image_reserves_the_names_that_it_adds_to_the_template() {
        let with_image = rendered_with_image("AppService");
        let added = &(&types(with_image.clone()) - &set(TYPES));
        let added = added - &set(["AppService", "String"]);
        assert_eq!(added, set(IMAGE_TYPES));

        let mut used = BTreeSet::new();
        for item in with_image.items {
            let Item::Fn(function) = item else { continue };
            let name = function.sig.ident.to_string();
            if ["reconcile", "register"].contains(&name.as_str()) {
                continue;
            }
            used.insert(name);
            let tokens = flat(function);
            let variables = tokens.windows(2).filter(|two| two[0] == "let");
            used.extend(variables.map(|two| two[1].clone()));
        }
        assert_eq!(used, set(IMAGE_LOCALS));
    }

    #[test]
    fn kinds_do_not_shadow_what_an_image_adds() {
        for (kind, parameter) in [
            ("Deployment", "deployment : & v1 :: Deployment"),
            ("Container", "object : & v1 :: Container"),
            ("Labels", "object : & Labels"),
        ] {
            let items = rendered_with_image(kind).items;
            let parameter = format!("fn labels ({parameter})");
            let is_labels = |item: &Item| item.to_token_stream().to_string().contains(&parameter);
            assert!(items.iter().any(is_labels), "{kind}");
        }
    }

    #[test]
    fn reserved_variables_are_those_of_the_template() {
        let mut used = BTreeSet::new();
        for item in rendered().items {
            let tokens = match item {
                Item::Struct(context) => flat(context),
                Item::Fn(function) if function.sig.ident == "register" => flat(function),
                _ => continue,
            };
            for three in tokens.windows(3) {
                if three[0] == "let" {
                    used.insert(three[1].clone());
                } else if three[1] == ":" && three[2] != ":" {
                    used.insert(three[0].clone());
                }
            }
        }
        used.remove(":");
        assert!(used.remove("app_services") && used.remove("deployments"));
        used.insert("store".to_owned());
        assert_eq!(used, set(VARIABLES));
    }

    #[test]
    fn reserved_locals_are_those_of_the_template() {
        let mut used = BTreeSet::from(["cleanup".to_owned(), "context".to_owned()]);
        for item in rendered().items {
            if let Item::Fn(function) = item
                && function.sig.ident == "reconcile"
            {
                let tokens: Vec<String> = flat(function);
                let variables = tokens.windows(3).filter(|three| three[0] == "let");
                used.extend(variables.map(|three| {
                    let [_, name, next] = three else {
                        unreachable!()
                    };
                    if name == "mut" {
                        next.clone()
                    } else {
                        name.clone()
                    }
                }));
            }
        }
        assert_eq!(used, set(LOCALS));
    }
}
