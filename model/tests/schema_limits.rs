//! Limits of the size and depth of schemas.

mod definitions;

use definitions::{field, kind, problems, reference, structure};
use kb_model::{
    api::{Type, TypeDef},
    crd::{Definition, Options, build},
};

/// Returns a kind with a chain of structs: fields of `Spec` have type `S1` and so on, the last one has type `inner`.
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
fn assert_rejected(definition: Definition, expected: &str) {
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
fn limits_the_nodes_of_nested_types() {
    assert_rejected(chain(24, &["a", "b"], &Type::String), "30000 nodes");
}

#[test]
fn counts_nodes_of_kubernetes_types() {
    let pod = Type::Core("io.k8s.api.core.v1.PodTemplateSpec".to_owned());
    assert_rejected(chain(10, &["a", "b"], &pod), "30000 nodes");
}

#[test]
fn limits_the_nesting_depth() {
    assert_rejected(chain(1000, &["a"], &Type::String), "128 levels");
}

#[test]
fn accepts_schemas_that_the_api_server_accepts() {
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
