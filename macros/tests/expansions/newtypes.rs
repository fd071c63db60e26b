#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
/// A name.
pub struct Name(pub String);
#[automatically_derived]
impl ::core::default::Default for Name {
    fn default() -> Self {
        Self(::core::default::Default::default())
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for Name {
    const FORM: ::kb::schema::Form = <String as ::kb::Schema>::FORM;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"Name\",\"docs\":\"A name.\",\"marks\":{\"max_length\":63},\"shape\":{\"newtype\":{\"ty\":0}}}",
                &[<String as ::kb::Schema>::schema_type],
                &[],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for Name {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Name")
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
impl ::kb::schema::MapKey for Name
where
    for<'__kb> String: ::kb::schema::MapKey,
{}
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
pub struct Ratio(pub f64);
#[automatically_derived]
impl ::core::default::Default for Ratio {
    fn default() -> Self {
        Self(::core::default::Default::default())
    }
}
#[automatically_derived]
#[diagnostic::do_not_recommend]
impl ::kb::Schema for Ratio {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::AllowFloat(
        &<f64 as ::kb::Schema>::FORM,
    );
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"Ratio\",\"shape\":{\"newtype\":{\"ty\":0,\"allow_float\":true}}}",
                &[<f64 as ::kb::Schema>::schema_type],
                &[],
            )
    }
}
#[automatically_derived]
impl ::kb::__private::schemars::JsonSchema for Ratio {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Ratio")
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
impl ::kb::schema::MapKey for Ratio
where
    for<'__kb> f64: ::kb::schema::MapKey,
{}
#[derive(
    ::core::clone::Clone,
    ::core::fmt::Debug,
    ::core::cmp::PartialEq,
    ::kb::__private::serde::Serialize,
    ::kb::__private::serde::Deserialize
)]
#[serde(crate = "::kb::__private::serde")]
#[serde(rename_all = "camelCase")]
#[serde(bound(serialize = "T: ::kb::__private::serde::Serialize + ::kb::Schema"))]
pub struct Parts<T> {
    #[serde(skip_serializing_if = "::kb::Schema::is_absent")]
    pub first: T,
    #[serde(default = "::core::default::Default::default")]
    pub others: Vec<T>,
}
#[automatically_derived]
impl<T> ::core::default::Default for Parts<T>
where
    for<'__kb> T: ::core::default::Default,
{
    fn default() -> Self {
        Self {
            first: ::core::default::Default::default(),
            others: ::core::default::Default::default(),
        }
    }
}
#[automatically_derived]
impl<T: ::kb::Schema> ::kb::Schema for Parts<T> {
    const FORM: ::kb::schema::Form = ::kb::schema::Form::Object;
    fn schema_type(types: &mut ::kb::schema::Registry) -> ::kb::schema::Type {
        const {
            ::kb::check::no_float("`first`", <T as ::kb::Schema>::FORM);
        };
        const {
            ::kb::check::fits(
                "max_items",
                "`others`",
                ::kb::check::Requirement::List,
                <Vec<T> as ::kb::Schema>::FORM,
            );
        };
        const {
            ::kb::check::no_float("`others`", <Vec<T> as ::kb::Schema>::FORM);
        };
        types
            .define(
                ::core::any::type_name::<Self>(),
                "{\"name\":\"Parts\",\"shape\":{\"struct\":[{\"name\":\"first\",\"ty\":0},{\"name\":\"others\",\"ty\":1,\"presence\":\"optional\",\"marks\":{\"max_items\":3}}]}}",
                &[
                    <T as ::kb::Schema>::schema_type,
                    <Vec<T> as ::kb::Schema>::schema_type,
                ],
                &[],
            )
    }
}
#[automatically_derived]
impl<T: ::kb::Schema> ::kb::__private::schemars::JsonSchema for Parts<T> {
    fn schema_name() -> ::std::borrow::Cow<'static, ::core::primitive::str> {
        ::std::borrow::Cow::Borrowed("Parts")
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
