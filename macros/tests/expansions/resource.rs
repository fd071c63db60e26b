#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
/// Runs an image.
#[serde(rename_all = "camelCase")]
pub struct AppSpec {
    /// Pods to run.
    #[serde(default = "AppSpec::__kb_default_replicas")]
    pub replicas: i32,
    #[serde(default = "AppSpec::__kb_default_limit")]
    pub limit: i64,
    #[serde(skip_serializing_if = "::kb::Schema::is_absent")]
    pub name: Name,
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub image: Option<String>,
}
#[doc(hidden)]
impl AppSpec {
    fn __kb_default_replicas() -> i32 {
        ::kb::__private::DefaultFrom::__kb_convert_literal(1)
    }
    fn __kb_default_limit() -> i64 {
        computed()
    }
}
#[automatically_derived]
impl ::core::default::Default for AppSpec
where
    for<'__kb> Name: ::core::default::Default,
{
    fn default() -> Self {
        Self {
            replicas: AppSpec::__kb_default_replicas(),
            limit: AppSpec::__kb_default_limit(),
            name: ::core::default::Default::default(),
            image: ::core::default::Default::default(),
        }
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for AppSpec {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::Object;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"AppSpec\",\"docs\":\"Runs an image.\",\"shape\":{\"struct\":[{\"name\":\"replicas\",\"docs\":\"Pods to run.\",\"ty\":0,\"default\":{\"value\":1},\"marks\":{\"minimum\":1,\"maximum\":10},\"columns\":[{}]},{\"name\":\"limit\",\"ty\":1,\"default\":{\"expression\":0}},{\"name\":\"name\",\"ty\":2,\"marks\":{\"max_length\":63}},{\"name\":\"image\",\"ty\":3}]}}",
                &[
                    <i32 as ::kb::Schema>::schema_type,
                    <i64 as ::kb::Schema>::schema_type,
                    <Name as ::kb::Schema>::schema_type,
                    <Option<String> as ::kb::Schema>::schema_type,
                ],
                &[|| ::kb::__private::to_json(&Self::__kb_default_limit())],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for AppSpec {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("AppSpec")
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
const _: () = ::kb::check::fits(
    "max_length",
    "`name`",
    ::kb::check::Requirement::Text,
    <Name as ::kb::Schema>::FORM,
);
const _: () = ::kb::check::no_float("`name`", <Name as ::kb::Schema>::FORM);
///Runs an image.
#[allow(clippy::doc_markdown)]
#[derive(::core::clone::Clone, ::core::fmt::Debug, ::core::cmp::PartialEq)]
pub struct App {
    /// Standard object metadata.
    pub metadata: ::kb::__private::ObjectMeta,
    /// Desired state.
    pub spec: AppSpec,
    /// Observed state.
    pub status: ::core::option::Option<AppStatus>,
}
#[allow(dead_code, clippy::same_name_method)]
impl App {
    /// Creates an object with this name and spec.
    #[must_use]
    pub fn new(name: &::core::primitive::str, spec: AppSpec) -> Self {
        Self {
            metadata: ::kb::__private::named(name),
            spec,
            status: ::core::option::Option::None,
        }
    }
    /// Returns the kind and its types, for [`kb::crds`](::kb::crds).
    #[must_use]
    pub fn definition() -> ::kb::CrdDefinition {
        ::kb::__private::definition(
            "{\"group\":\"example.com\",\"version\":\"v1\",\"kind\":\"App\",\"plural\":\"apps\",\"singular\":\"app\",\"listKind\":\"AppList\",\"shortNames\":[\"ap\"],\"scope\":\"Namespaced\",\"docs\":\"Runs an image.\",\"spec\":0,\"specLayout\":\"required\",\"status\":1,\"statusSubresource\":true,\"served\":true}",
            &[
                <AppSpec as ::kb::Schema>::schema_type,
                <AppStatus as ::kb::Schema>::schema_type,
            ],
        )
    }
    /// Returns the `CustomResourceDefinition` with only this version. [`kb::crds`](::kb::crds) merges versions.
    ///
    /// # Panics
    ///
    /// If it is invalid, with all problems.
    #[must_use]
    pub fn crd() -> ::kb::__private::CustomResourceDefinition {
        ::kb::__private::crd(Self::definition())
    }
}
#[automatically_derived]
impl ::kb::__private::kube::Resource for App {
    type DynamicType = ();
    type Scope = ::kb::__private::kube::core::NamespaceResourceScope;
    fn kind((): &()) -> ::std::borrow::Cow<'_, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("App")
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
        ::std::borrow::Cow::Borrowed("apps")
    }
    fn meta(&self) -> &::kb::__private::ObjectMeta {
        &self.metadata
    }
    fn meta_mut(&mut self) -> &mut ::kb::__private::ObjectMeta {
        &mut self.metadata
    }
}
#[automatically_derived]
impl ::kb::__private::kube::CustomResourceExt for App {
    fn crd() -> ::kb::__private::CustomResourceDefinition {
        ::kb::__private::crd(Self::definition())
    }
    fn crd_name() -> &'static ::core::primitive::str {
        "apps.example.com"
    }
    fn api_resource() -> ::kb::__private::kube::core::ApiResource {
        ::kb::__private::kube::core::ApiResource::erase::<Self>(&())
    }
    fn shortnames() -> &'static [&'static ::core::primitive::str] {
        &["ap"]
    }
}
#[automatically_derived]
impl ::kb::__private::kube::core::object::HasSpec for App {
    type Spec = AppSpec;
    fn spec(&self) -> &AppSpec {
        &self.spec
    }
    fn spec_mut(&mut self) -> &mut AppSpec {
        &mut self.spec
    }
}
#[automatically_derived]
impl ::kb::__private::kube::core::object::HasStatus for App {
    type Status = AppStatus;
    fn status(&self) -> ::core::option::Option<&AppStatus> {
        self.status.as_ref()
    }
    fn status_mut(&mut self) -> &mut ::core::option::Option<AppStatus> {
        &mut self.status
    }
}
#[automatically_derived]
impl ::kb::__private::serde::Serialize for App {
    fn serialize<S: ::kb::__private::serde::Serializer>(
        &self,
        serializer: S,
    ) -> ::core::result::Result<S::Ok, S::Error> {
        ::kb::__private::serialize_object(
            serializer,
            "App",
            "example.com/v1",
            &self.metadata,
            &self.spec,
            self.status.as_ref(),
        )
    }
}
#[automatically_derived]
impl<'de> ::kb::__private::serde::Deserialize<'de> for App {
    fn deserialize<D: ::kb::__private::serde::Deserializer<'de>>(
        deserializer: D,
    ) -> ::core::result::Result<Self, D::Error> {
        let object: ::kb::__private::RequiredSpec<AppSpec, AppStatus> = ::kb::__private::serde::Deserialize::deserialize(
            deserializer,
        )?;
        ::core::result::Result::Ok(Self {
            metadata: object.metadata,
            spec: object.spec,
            status: object.status,
        })
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for App {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("App")
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
impl ::core::default::Default for App
where
    for<'__kb> AppSpec: ::core::default::Default,
{
    fn default() -> Self {
        Self {
            metadata: ::core::default::Default::default(),
            spec: ::core::default::Default::default(),
            status: ::core::option::Option::None,
        }
    }
}
pub type Name = String;
fn computed() -> i64 {
    42
}
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
/// What was seen.
#[serde(rename_all = "camelCase")]
pub struct AppStatus {
    #[serde(skip_serializing_if = "::core::option::Option::is_none")]
    pub ready_replicas: Option<i32>,
}
#[automatically_derived]
impl ::core::default::Default for AppStatus {
    fn default() -> Self {
        Self {
            ready_replicas: ::core::default::Default::default(),
        }
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for AppStatus {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::Object;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"AppStatus\",\"docs\":\"What was seen.\",\"shape\":{\"struct\":[{\"name\":\"readyReplicas\",\"ty\":0,\"columns\":[{\"name\":\"Ready\"}]}]}}",
                &[<Option<i32> as ::kb::Schema>::schema_type],
                &[],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for AppStatus {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("AppStatus")
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
