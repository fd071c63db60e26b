//! Schemas that would have no end are not made, whoever resolved the types.

mod definitions;

use definitions::{field, kind, problems, reference, structure};
use kb_model::{
    api::{Type, TypeDef},
    crd::{Definition, Options, build},
};

/// `Spec`, whose fields lead to `S1`, and so on; the last one has a field of the type `inner`.
fn chain(length: usize, names: &[&str], inner: &Type) -> Definition {
    let types: Vec<TypeDef<Type>> = (0..length)
        .map(|n| {
            let is_last = n + 1 == length;
            let next = reference(&format!("S{}", n + 1));
            let ty = if is_last { inner.clone() } else { next };
            let fields = names.iter().map(|name| field(name, ty.clone()));
            let name = if n == 0 {
                "Spec".to_owned()
            } else {
                format!("S{n}")
            };
            structure(&name, fields.collect())
        })
        .collect();
    kind("Foo", types)
}

#[track_caller]
fn refused(definition: Definition, expected: &str) {
    let problems = problems(&[definition]);
    assert_eq!(problems.len(), 1, "{problems:#?}");
    let problem = &problems[0];
    assert!(problem.message.contains(expected), "{}", problem.message);
    let location = &problem.location;
    assert!(
        location.type_id.is_some() && location.field.is_some(),
        "{location:?}"
    );
}

#[test]
fn types_that_double_each_other_have_too_many_nodes() {
    refused(chain(24, &["a", "b"], &Type::String), "30000 nodes");
}

#[test]
fn types_of_kubernetes_count() {
    let pod = Type::Core("io.k8s.api.core.v1.PodTemplateSpec".to_owned());
    refused(chain(10, &["a", "b"], &pod), "30000 nodes");
}

#[test]
fn types_are_nested_to_a_limit() {
    refused(chain(1000, &["a"], &Type::String), "128 levels");
}

#[test]
fn what_the_api_server_takes_is_within_the_limits() {
    let pod = Type::Core("io.k8s.api.core.v1.PodTemplateSpec".to_owned());
    let names: Vec<String> = (0..20).map(|n| format!("pod{n}")).collect();
    let fields = names.iter().map(|name| field(name, pod.clone()));
    let definition = kind("Foo", vec![structure("Spec", fields.collect())]);
    let crds = build(&[definition], &Options::default());
    let problems = crds.err().unwrap_or_default();
    assert!(
        problems.iter().all(|it| !it.message.contains("nodes")),
        "{problems:#?}"
    );
}
