//! Generates the root type of a kind: metadata, spec, status and the traits of kube.
//!
//! kube's `CustomResource` derive is not used: it cannot make the spec optional, adds a second and different `crd()`, drops the scale
//! subresource of a kind without status, needs seven paths of which three are not honored everywhere, and compiles slower. The
//! generated traits are kube's, so `Api<Foo>`, controllers and generic code work as with the derive.

use kb_model::api::{Resource, Scope, SpecLayout};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};
use syn::{Type, Visibility};

/// Input for the root type.
pub(crate) struct Root<'a> {
    /// Visibility, same as the spec.
    pub(crate) visibility: Visibility,
    /// Type of the spec.
    pub(crate) spec: &'a Ident,
    /// Type of the status.
    pub(crate) status: Option<&'a Type>,
    /// Arguments of the attribute.
    pub(crate) resource: &'a Resource<usize>,
}

impl Root<'_> {
    /// Generates the struct and its implementations.
    pub(crate) fn tokens(&self) -> TokenStream {
        let parts = [
            self.declaration(),
            self.functions(),
            self.kube(),
            self.custom_resource(),
            self.parts(),
            self.serialize(),
            self.deserialize(),
            self.json_schema(),
            self.default(),
        ];
        parts.into_iter().collect()
    }

    fn kind(&self) -> Ident {
        format_ident!(
            "{}",
            self.resource.kind.to_string(),
            span = self.spec.span()
        )
    }

    fn api_version(&self) -> String {
        format!("{}/{}", self.resource.group, self.resource.version)
    }

    fn declaration(&self) -> TokenStream {
        let Self {
            visibility, spec, ..
        } = self;
        let kind = self.kind();
        let docs = match self.resource.docs.as_str() {
            "" => format!("The kind `{kind}` of `{}`.", self.api_version()),
            docs => docs.to_owned(),
        };
        let status = self.status.map(|status| {
            quote! {
                /// Observed state.
                #visibility status: ::core::option::Option<#status>,
            }
        });
        quote! {
            #[doc = #docs]
            #[allow(clippy::doc_markdown)]
            #[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
            #visibility struct #kind {
                /// Standard object metadata.
                #visibility metadata: ::kb::__private::ObjectMeta,
                /// Desired state.
                #visibility spec: #spec,
                #status
            }
        }
    }

    fn functions(&self) -> TokenStream {
        let Self {
            visibility, spec, ..
        } = self;
        let kind = self.kind();
        let no_status = self
            .status
            .map(|_| quote!(status: ::core::option::Option::None,));
        let status = self
            .status
            .map(|status| quote!(<#status as ::kb::Schema>::schema_type));
        let mut resource = self.resource.clone();
        resource.spec = 0;
        resource.status = resource.status.map(|_| 1);
        let text = Literal::string(&serde_json::to_string(&resource).unwrap_or_default());
        quote! {
            #[allow(dead_code, clippy::same_name_method)]
            impl #kind {
                /// Creates an object with this name and spec.
                #[must_use]
                #visibility fn new(name: &::core::primitive::str, spec: #spec) -> Self {
                    Self { metadata: ::kb::__private::named(name), spec, #no_status }
                }
                /// Returns the kind and its types, for [`kb::crds`](::kb::crds).
                #[must_use]
                #visibility fn definition() -> ::kb::CrdDefinition {
                    ::kb::__private::definition(#text, &[<#spec as ::kb::Schema>::schema_type, #status])
                }
                /// Returns the `CustomResourceDefinition` with only this version. [`kb::crds`](::kb::crds) merges versions.
                ///
                /// # Panics
                ///
                /// If it is invalid, with all problems.
                #[must_use]
                #visibility fn crd() -> ::kb::__private::CustomResourceDefinition {
                    ::kb::__private::crd(Self::definition())
                }
            }
        }
    }

    fn kube(&self) -> TokenStream {
        let kind = self.kind();
        let scope = match self.resource.scope {
            Scope::Namespaced => quote!(NamespaceResourceScope),
            Scope::Cluster => quote!(ClusterResourceScope),
        };
        let texts = [
            ("kind", self.resource.kind.to_string()),
            ("group", self.resource.group.to_string()),
            ("version", self.resource.version.to_string()),
            ("api_version", self.api_version()),
            ("plural", self.resource.plural.to_string()),
        ];
        let functions = texts.map(|(function, text)| {
            let function = format_ident!("{function}");
            quote! {
                fn #function((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed(#text)
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl ::kb::__private::kube::Resource for #kind {
                type DynamicType = ();
                type Scope = ::kb::__private::kube::core::#scope;
                #(#functions)*
                fn meta(&self) -> &::kb::__private::ObjectMeta {
                    &self.metadata
                }
                fn meta_mut(&mut self) -> &mut ::kb::__private::ObjectMeta {
                    &mut self.metadata
                }
            }
        }
    }

    fn custom_resource(&self) -> TokenStream {
        let kind = self.kind();
        let name = format!("{}.{}", self.resource.plural, self.resource.group);
        let short_names = &self.resource.short_names;
        quote! {
            #[automatically_derived]
            impl ::kb::__private::kube::CustomResourceExt for #kind {
                fn crd() -> ::kb::__private::CustomResourceDefinition {
                    ::kb::__private::crd(Self::definition())
                }
                fn crd_name() -> &'static ::core::primitive::str {
                    #name
                }
                fn api_resource() -> ::kb::__private::kube::core::ApiResource {
                    ::kb::__private::kube::core::ApiResource::erase::<Self>(&())
                }
                fn shortnames() -> &'static [&'static ::core::primitive::str] {
                    &[#(#short_names),*]
                }
            }
        }
    }

    fn parts(&self) -> TokenStream {
        let kind = self.kind();
        let spec = self.spec;
        let has_status = self.status.map(|status| {
            quote! {
                #[automatically_derived]
                impl ::kb::__private::kube::core::object::HasStatus for #kind {
                    type Status = #status;
                    fn status(&self) -> ::core::option::Option<&#status> {
                        self.status.as_ref()
                    }
                    fn status_mut(&mut self) -> &mut ::core::option::Option<#status> {
                        &mut self.status
                    }
                }
            }
        });
        quote! {
            #[automatically_derived]
            impl ::kb::__private::kube::core::object::HasSpec for #kind {
                type Spec = #spec;
                fn spec(&self) -> &#spec {
                    &self.spec
                }
                fn spec_mut(&mut self) -> &mut #spec {
                    &mut self.spec
                }
            }
            #has_status
        }
    }

    fn serialize(&self) -> TokenStream {
        let kind = self.kind();
        let name = kind.to_string();
        let api_version = self.api_version();
        let function = match self.resource.spec_layout {
            SpecLayout::Required => quote!(serialize_object),
            SpecLayout::Optional => quote!(serialize_optional),
            SpecLayout::Root => quote!(serialize_root),
        };
        let status = if self.status.is_some() {
            quote!(self.status.as_ref())
        } else {
            quote!(::core::option::Option::None::<&()>)
        };
        quote! {
            #[automatically_derived]
            impl ::kb::__private::serde::Serialize for #kind {
                fn serialize<S: ::kb::__private::serde::Serializer>(
                    &self,
                    serializer: S,
                ) -> ::core::result::Result<S::Ok, S::Error> {
                    ::kb::__private::#function(serializer, #name, #api_version, &self.metadata, &self.spec, #status)
                }
            }
        }
    }

    fn deserialize(&self) -> TokenStream {
        let kind = self.kind();
        let spec = self.spec;
        let object = match self.resource.spec_layout {
            SpecLayout::Required => quote!(RequiredSpec),
            SpecLayout::Optional => quote!(OptionalSpec),
            SpecLayout::Root => quote!(RootSpec),
        };
        let status_type = self.status.map(|status| quote!(, #status));
        let status = self.status.map(|_| quote!(status: object.status,));
        quote! {
            #[automatically_derived]
            impl<'de> ::kb::__private::serde::Deserialize<'de> for #kind {
                fn deserialize<D: ::kb::__private::serde::Deserializer<'de>>(
                    deserializer: D,
                ) -> ::core::result::Result<Self, D::Error> {
                    let object: ::kb::__private::#object<#spec #status_type> =
                        ::kb::__private::serde::Deserialize::deserialize(deserializer)?;
                    ::core::result::Result::Ok(Self { metadata: object.metadata, spec: object.spec, #status })
                }
            }
        }
    }

    fn json_schema(&self) -> TokenStream {
        let kind = self.kind();
        let name = kind.to_string();
        quote! {
            #[automatically_derived]
            impl ::kb::__private::schemars::JsonSchema for #kind {
                fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed(#name)
                }
                fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
                    ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
                }
                fn json_schema(
                    _: &mut ::kb::__private::schemars::SchemaGenerator,
                ) -> ::kb::__private::schemars::Schema {
                    ::kb::__private::kind_schema(Self::definition())
                }
            }
        }
    }

    fn default(&self) -> TokenStream {
        let kind = self.kind();
        let spec = self.spec;
        let status = self
            .status
            .map(|_| quote!(status: ::core::option::Option::None,));
        quote! {
            #[automatically_derived]
            impl ::core::default::Default for #kind where for<'__kb> #spec: ::core::default::Default {
                fn default() -> Self {
                    Self {
                        metadata: ::core::default::Default::default(),
                        spec: ::core::default::Default::default(),
                        #status
                    }
                }
            }
        }
    }
}
