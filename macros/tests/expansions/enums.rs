#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
#[derive(Copy, Eq)]
#[derive(::core::default::Default)]
pub enum Mode {
    #[default]
    Fast,
    Slow,
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for Mode {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::String;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"Mode\",\"shape\":{\"choice\":[\"Fast\",\"Slow\"]}}",
                &[],
                &[],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for Mode {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Mode")
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
#[automatically_derived]
impl ::kb::schema::MapKey for Mode {}
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
#[serde(rename_all = "camelCase")]
#[serde(rename_all_fields = "camelCase")]
pub enum Source {
    Named(String),
    Numbered { the_number: i64 },
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for Source {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::Object;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"Source\",\"shape\":{\"union\":[{\"name\":\"named\",\"content\":{\"newtype\":{\"ty\":0}}},{\"name\":\"numbered\",\"content\":{\"struct\":[{\"name\":\"theNumber\",\"ty\":1,\"marks\":{\"minimum\":1}}]}}]}}",
                &[
                    <String as ::kb::Schema>::schema_type,
                    <i64 as ::kb::Schema>::schema_type,
                ],
                &[],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for Source {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Source")
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
