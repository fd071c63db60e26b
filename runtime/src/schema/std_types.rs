//! Rust's own types, as serde writes them.
//!
//! 128-bit integers have no form that the API server keeps, tuples none that a schema can say, and serde writes
//! `std::time::Duration` as an object of two numbers: they are left out on purpose.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque},
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    path::{Path, PathBuf},
    rc::Rc,
    sync::Arc,
};

use serde_json::{Value, json};

use super::{Any, Flag, Float, List, Map, MapKey, Number, PlainText, Registry, Schema, Type};

/// Types that need nothing of others.
macro_rules! plain {
    ($($rust:ty => $form:ty, $type:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Schema for $rust {
            type Form = $form;

            fn schema_type(_: &mut Registry) -> Type {
                $type
            }
        }
    )*};
}

/// Pointers: what they point to.
macro_rules! transparent {
    ($($rust:ty)*) => {$(
        impl<T: Schema + ?Sized> Schema for $rust {
            type Form = T::Form;

            fn schema_type(types: &mut Registry) -> Type {
                T::schema_type(types)
            }

            fn is_absent(&self) -> bool {
                T::is_absent(self)
            }
        }
    )*};
}

/// Collections of `T`.
macro_rules! list {
    ($([$($parameters:tt)*] $rust:ty => $type:expr;)*) => {$(
        impl<T: Schema, $($parameters)*> Schema for $rust {
            type Form = List<T::Form>;

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
            type Form = Map<V::Form>;

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
    bool => Flag, Type::Bool;
    i8 => Number, integer(8, true);
    i16 => Number, integer(16, true);
    i32 => Number, integer(32, true);
    i64 => Number, integer(64, true);
    isize => Number, integer(64, true);
    u8 => Number, integer(8, false);
    u16 => Number, integer(16, false);
    u32 => Number, integer(32, false);
    u64 => Number, integer(64, false);
    usize => Number, integer(64, false);
    f32 => Float, Type::Float;
    f64 => Float, Type::Float;
    str => PlainText, Type::String;
    &'static str => PlainText, Type::String;
    String => PlainText, Type::String;
    char => PlainText, Type::String;
    Path => PlainText, Type::String;
    PathBuf => PlainText, Type::String;
    IpAddr => PlainText, Type::String;
    Ipv4Addr => PlainText, text_of_format("ipv4");
    Ipv6Addr => PlainText, text_of_format("ipv6");
    Value => Any, Type::Any;
    serde_json::Map<String, Value> => Map<Any>, Type::Map(Box::new(Type::Any));
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
    type Form = T::Form;

    fn schema_type(types: &mut Registry) -> Type {
        T::schema_type(types)
    }

    fn is_absent(&self) -> bool {
        T::is_absent(self)
    }
}

impl<T: Schema> Schema for Option<T> {
    type Form = T::Form;

    fn schema_type(types: &mut Registry) -> Type {
        Type::Optional(Box::new(T::schema_type(types)))
    }

    fn is_absent(&self) -> bool {
        self.is_none()
    }
}
