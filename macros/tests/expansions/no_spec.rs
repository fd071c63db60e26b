#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
#[serde(rename_all = "camelCase")]
struct Contents {
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    max_size: Option<i64>,
}
#[automatically_derived]
impl ::core::default::Default for Contents {
    fn default() -> Self {
        Self {
            max_size: ::core::default::Default::default(),
        }
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for Contents {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::Object;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"Contents\",\"shape\":{\"struct\":[{\"name\":\"maxSize\",\"ty\":0}]}}",
                &[<Option<i64> as ::kb::Schema>::schema_type],
                &[],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for Contents {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Contents")
    }
    fn schema_id() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed(::core::any::type_name::<Self>())
    }
    fn json_schema(
        _: &mut ::kb::__private::schemars::SchemaGenerator,
    ) -> ::kb::__private::schemars::Schema {
        ::kb::__private::type_schema(<Self as ::kb::Schema>::schema_type)
    }
}
///The kind `Bucket` of `example.com/v1`.
#[allow(clippy::doc_markdown)]
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
struct Bucket {
    /// Standard object metadata.
    metadata: ::kb::__private::ObjectMeta,
    /// Desired state.
    spec: Contents,
}
#[allow(dead_code, clippy::same_name_method)]
impl Bucket {
    /// Creates an object with this name and spec.
    #[must_use]
    fn new(name: &::core::primitive::str, spec: Contents) -> Self {
        Self {
            metadata: ::kb::__private::named(name),
            spec,
        }
    }
    /// Returns the kind and its types, for [`kb::crds`](::kb::crds).
    #[must_use]
    fn definition() -> ::kb::CrdDefinition {
        ::kb::__private::definition(
            "{\"group\":\"example.com\",\"version\":\"v1\",\"kind\":\"Bucket\",\"plural\":\"buckets\",\"singular\":\"bucket\",\"listKind\":\"BucketList\",\"scope\":\"Cluster\",\"spec\":0,\"specLayout\":\"root\",\"statusSubresource\":false,\"served\":true}",
            &[<Contents as ::kb::Schema>::schema_type],
        )
    }
    /// Returns the `CustomResourceDefinition` with only this version. [`kb::crds`](::kb::crds) merges versions.
    ///
    /// # Panics
    ///
    /// If it is invalid, with all problems.
    #[must_use]
    fn crd() -> ::kb::__private::CustomResourceDefinition {
        ::kb::__private::crd(Self::definition())
    }
}
#[automatically_derived]
impl ::kb::__private::kube::Resource for Bucket {
    type DynamicType = ();
    type Scope = ::kb::__private::kube::core::ClusterResourceScope;
    fn kind((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Bucket")
    }
    fn group((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("example.com")
    }
    fn version((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("v1")
    }
    fn api_version((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("example.com/v1")
    }
    fn plural((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("buckets")
    }
    fn meta(&self) -> &::kb::__private::ObjectMeta {
        &self.metadata
    }
    fn meta_mut(&mut self) -> &mut ::kb::__private::ObjectMeta {
        &mut self.metadata
    }
}
#[automatically_derived]
impl ::kb::__private::kube::CustomResourceExt for Bucket {
    fn crd() -> ::kb::__private::CustomResourceDefinition {
        ::kb::__private::crd(Self::definition())
    }
    fn crd_name() -> &'static ::core::primitive::str {
        "buckets.example.com"
    }
    fn api_resource() -> ::kb::__private::kube::core::ApiResource {
        ::kb::__private::kube::core::ApiResource::erase::<Self>(&())
    }
    fn shortnames() -> &'static [&'static ::core::primitive::str] {
        &[]
    }
}
#[automatically_derived]
impl ::kb::__private::kube::core::object::HasSpec for Bucket {
    type Spec = Contents;
    fn spec(&self) -> &Contents {
        &self.spec
    }
    fn spec_mut(&mut self) -> &mut Contents {
        &mut self.spec
    }
}
#[automatically_derived]
impl ::kb::__private::serde::Serialize for Bucket {
    fn serialize<S: ::kb::__private::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        ::kb::__private::serialize_root(
            serializer,
            "Bucket",
            "example.com/v1",
            &self.metadata,
            &self.spec,
            ::core::option::Option::None::<&()>,
        )
    }
}
#[automatically_derived]
impl<'de> ::kb::__private::serde::Deserialize<'de> for Bucket {
    fn deserialize<D: ::kb::__private::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::core::result::Result<Self, D::Error> {
        let object: ::kb::__private::RootSpec<Contents> = ::kb::__private::serde::Deserialize::deserialize(
            deserializer,
        )?;
        ::core::result::Result::Ok(Self {
            metadata: object.metadata,
            spec: object.spec,
        })
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for Bucket {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Bucket")
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
#[automatically_derived]
impl ::core::default::Default for Bucket
where
    for<'__kb> Contents: ::core::default::Default,
{
    fn default() -> Self {
        Self {
            metadata: ::core::default::Default::default(),
            spec: ::core::default::Default::default(),
        }
    }
}
