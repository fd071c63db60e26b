//! Schemas of std types, as serde serializes them.
//!
//! Deliberately missing: 128-bit integers, which the API server cannot store, tuples, which a structural schema cannot describe,
//! and `std::time::Duration`, which serde serializes as an object of two numbers.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use serde_json::{Value, json};

use super::{Form, MapKey, Registry, Schema, Type};

/// Types without type parameters.
macro_rules! plain {
    ($($rust:ty => $form:expr, $type:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Schema for $rust {
            const FORM: Form = $form;

            fn schema_type(_: &mut Registry) -> Type {
                $type
            }
        }
    )*};
}

/// Smart pointers, which serialize as their target.
macro_rules! transparent {
    ($($rust:ty)*) => {$(
        impl<T: Schema + ?Sized> Schema for $rust {
            const FORM: Form = T::FORM;

            fn schema_type(types: &mut Registry) -> Type {
                T::schema_type(types)
            }

            fn is_absent(&self) -> bool {
                T::is_absent(self)
            }
        }
    )*};
}

/// Lists of `T`.
macro_rules! list {
    ($([$($parameters:tt)*] $rust:ty => $type:expr;)*) => {$(
        impl<T: Schema, $($parameters)*> Schema for $rust {
            const FORM: Form = Form::List(&T::FORM);

            fn schema_type(types: &mut Registry) -> Type {
                $type(Box::new(T::schema_type(types)))
            }
        }
    )*};
}

/// Maps from `K` to `V`.
macro_rules! map {
    ($([$($parameters:tt)*] $rust:ty;)*) => {$(
        impl<K: MapKey, V: Schema, $($parameters)*> Schema for $rust {
            const FORM: Form = Form::Map(&V::FORM);

            fn schema_type(types: &mut Registry) -> Type {
                Type::Map(Box::new(V::schema_type(types)))
            }
        }
    )*};
}

const fn integer(bits: u8, signed: bool) -> Type {
    Type::Integer { bits, signed }
}

fn text_of_format(format: &str) -> Type {
    Type::Raw(json!({"type": "string", "format": format}))
}

plain! {
    bool => Form::Boolean, Type::Bool;
    i8 => Form::Integer, integer(8, true);
    i16 => Form::Integer, integer(16, true);
    i32 => Form::Integer, integer(32, true);
    i64 => Form::Integer, integer(64, true);
    isize => Form::Integer, integer(64, true);
    u8 => Form::Integer, integer(8, false);
    u16 => Form::Integer, integer(16, false);
    u32 => Form::Integer, integer(32, false);
    u64 => Form::Integer, integer(64, false);
    usize => Form::Integer, integer(64, false);
    f32 => Form::Float, Type::Float;
    f64 => Form::Float, Type::Float;
    str => Form::String, Type::String;
    &'static str => Form::String, Type::String;
    String => Form::String, Type::String;
    char => Form::String, Type::String;
    Path => Form::String, Type::String;
    PathBuf => Form::String, Type::String;
    IpAddr => Form::String, Type::String;
    Ipv4Addr => Form::String, text_of_format("ipv4");
    Ipv6Addr => Form::String, text_of_format("ipv6");
    Value => Form::Any, Type::Any;
    serde_json::Map<String, Value> => Form::Map(&Form::Any), Type::Map(Box::new(Type::Any));
}

transparent! { Box<T> Arc<T> Rc<T> }

list! {
    [] Vec<T> => Type::List;
    [] VecDeque<T> => Type::List;
    [] [T] => Type::List;
    [] BTreeSet<T> => Type::Set;
    [S] HashSet<T, S> => Type::Set;
    [const N: usize] [T; N] => |element| Type::Array(element, N as u64);
}

map! {
    [] BTreeMap<K, V>;
    [S] HashMap<K, V, S>;
}

impl<T: Schema + ToOwned + ?Sized> Schema for Cow<'_, T> {
    const FORM: Form = T::FORM;

    fn schema_type(types: &mut Registry) -> Type {
        T::schema_type(types)
    }

    fn is_absent(&self) -> bool {
        T::is_absent(self)
    }
}

impl<T: Schema> Schema for Option<T> {
    const FORM: Form = T::FORM;

    fn schema_type(types: &mut Registry) -> Type {
        Type::Optional(Box::new(T::schema_type(types)))
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}
