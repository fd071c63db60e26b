//! Kubernetes' own types: those of k8s-openapi, by the list in `core_types`, and kube's `Duration`.

use kube::core::Duration;

use super::{PlainText, Registry, Schema, Type};

/// Implements [`Schema`] for types of k8s-openapi, each named with its component.
///
/// They are objects, but for the few whose component is named here.
macro_rules! core_type {
    ($($rust:path => $component:tt,)*) => {$(
        #[diagnostic::do_not_recommend]
        impl crate::Schema for $rust {
            type Form = crate::schema::kubernetes::core_type!(@form $component);

            fn schema_type(types: &mut crate::schema::Registry) -> crate::schema::Type {
                crate::schema::kubernetes::core_type!(@type types, $rust, $component)
            }
        }
    )*};
    // The one that is no component of Kubernetes: nothing describes it.
    (@type $types:ident, $rust:path, "bytes") => {{ let _ = $types; crate::schema::Type::Core("bytes".to_owned()) }};
    (@type $types:ident, $rust:path, $component:tt) => { $types.core($component, <$rust as schemars::JsonSchema>::json_schema) };
    (@form "bytes") => { crate::schema::PlainText };
    (@form "io.k8s.apimachinery.pkg.apis.meta.v1.Time") => { crate::schema::PlainText };
    (@form "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime") => { crate::schema::PlainText };
    (@form "io.k8s.apimachinery.pkg.api.resource.Quantity") => { crate::schema::IntOrString };
    (@form "io.k8s.apimachinery.pkg.util.intstr.IntOrString") => { crate::schema::IntOrString };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON") => { crate::schema::Any };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrArray") => { crate::schema::Any };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrBool") => { crate::schema::Any };
    (@form "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaPropsOrStringArray") => { crate::schema::Any };
    (@form $other:tt) => { crate::schema::Object };
}
pub(super) use core_type;

#[diagnostic::do_not_recommend]
impl Schema for Duration {
    type Form = PlainText;

    fn schema_type(_: &mut Registry) -> Type {
        Type::String
    }
}
