//! Schemas of Kubernetes types: those of k8s-openapi listed in `core_types`, and kube's `Duration`.

use kube::core::Duration;

use super::{Form, Registry, Schema, Type};

/// Implements [`Schema`] for types of k8s-openapi, each with its `OpenAPI` component.
///
/// They are objects except for the components listed here.
macro_rules! core_type {
    ($($rust:path => $component:tt,)*) => {$(
        #[diagnostic::do_not_recommend]
        impl crate::Schema for $rust {
            const FORM: crate::schema::Form = crate::schema::kubernetes::core_type!(@form $component);

            fn schema_type(types: &mut crate::schema::Registry) -> crate::schema::Type {
                crate::schema::kubernetes::core_type!(@type types, $rust, $component)
            }
        }
    )*};
    // Not an `OpenAPI` component, so it has no description.
    (@type $types:ident, $rust:path, "bytes") => {{ let _ = $types; crate::schema::Type::Core("bytes".to_owned()) }};
    (@type $types:ident, $rust:path, $component:tt) => { $types.core($component, <$rust as schemars::JsonSchema>::json_schema) };
    (@form "bytes") => { crate::schema::Form::String };
    (@form "io.k8s.apimachinery.pkg.apis.meta.v1.Time") => { crate::schema::Form::String };
    (@form "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime") => { crate::schema::Form::String };
    (@form "io.k8s.apimachinery.pkg.api.resource.Quantity") => { crate::schema::Form::IntOrString };
    (@form "io.k8s.apimachinery.pkg.util.intstr.IntOrString") => { crate::schema::Form::IntOrString };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON") => { crate::schema::Form::Any };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray") => { crate::schema::Form::Any };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool") => { crate::schema::Form::Any };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray") => { crate::schema::Form::Any };
    (@form $other:tt) => { crate::schema::Form::Object };
}
pub(super) use core_type;

#[diagnostic::do_not_recommend]
impl Schema for Duration {
    const FORM: Form = Form::String;

    fn schema_type(_: &mut Registry) -> Type {
        Type::String
    }
}

#[cfg(test)]
mod tests {
    use kb_model::core_types;

    #[test]
    fn lists_every_component_that_is_not_an_object() {
        let source = include_str!("kubernetes.rs");
        for component in core_types::components() {
            let Ok(Some(schema)) = core_types::schema(component) else {
                continue;
            };
            let is_listed = source.contains(&format!("(@form \"{component}\")"));
            let is_object = schema["type"] == "object";
            let is_duration = component.ends_with(".Duration");
            assert_eq!(is_listed, !is_object && !is_duration, "{component}");
        }
    }
}
