//! A serde serializer that shows the fields of an object one by one, each still to be serialised.
//!
//! A field of an object is needed as JSON, or all but some of them, and there is no way to it but to serialise the object. A tree of JSON
//! values of the whole would be mostly thrown away.

use serde::{
    Serialize, Serializer,
    ser::{self, Impossible, SerializeMap},
};
use serde_json::Value;

/// Sees each field of an object.
trait Visitor {
    type Error: ser::Error;

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), Self::Error>;
}

/// Shows the fields of an object, in its order.
fn visit<V: Visitor>(object: &impl Serialize, visitor: V) -> Result<V, V::Error> {
    object.serialize(Visit { visitor, key: None })
}

/// A field of an object as JSON; null, if there is none.
pub(super) fn field(object: &impl Serialize, name: &'static str) -> serde_json::Result<Value> {
    let found = Value::Null;
    visit(object, Pick { name, found }).map(|pick| pick.found)
}

struct Pick {
    name: &'static str,
    found: Value,
}

impl Visitor for Pick {
    type Error = serde_json::Error;

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> serde_json::Result<()> {
        if name == self.name {
            self.found = serde_json::to_value(value)?;
        }
        Ok(())
    }
}

/// Copies fields into a map: those of which it says so.
pub(super) fn copy<M: SerializeMap>(
    object: &impl Serialize,
    is_copied: impl Fn(&str) -> bool,
    map: &mut M,
) -> Result<(), M::Error> {
    visit(object, Copy { is_copied, map }).map(drop)
}

struct Copy<'a, F, M> {
    is_copied: F,
    map: &'a mut M,
}

impl<F: Fn(&str) -> bool, M: SerializeMap> Visitor for Copy<'_, F, M> {
    type Error = M::Error;

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), M::Error> {
        if (self.is_copied)(name) {
            self.map.serialize_entry(name, value)?;
        }
        Ok(())
    }
}

struct Visit<V> {
    visitor: V,
    /// Of the value that comes next: maps tell keys and values apart.
    key: Option<Value>,
}

fn refuse<T, E: ser::Error>() -> Result<T, E> {
    Err(E::custom("not an object with fields"))
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) -> $result:ty;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$result, V::Error> {
            refuse()
        }
    )*};
}

impl<V: Visitor> Serializer for Visit<V> {
    type Ok = V;
    type Error = V::Error;
    type SerializeSeq = Impossible<V, V::Error>;
    type SerializeTuple = Impossible<V, V::Error>;
    type SerializeTupleStruct = Impossible<V, V::Error>;
    type SerializeTupleVariant = Impossible<V, V::Error>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<V, V::Error>;

    refused! {
        serialize_bool(bool) -> V;
        serialize_i8(i8) -> V;
        serialize_i16(i16) -> V;
        serialize_i32(i32) -> V;
        serialize_i64(i64) -> V;
        serialize_u8(u8) -> V;
        serialize_u16(u16) -> V;
        serialize_u32(u32) -> V;
        serialize_u64(u64) -> V;
        serialize_f32(f32) -> V;
        serialize_f64(f64) -> V;
        serialize_char(char) -> V;
        serialize_str(&str) -> V;
        serialize_bytes(&[u8]) -> V;
        serialize_none() -> V;
        serialize_unit() -> V;
        serialize_unit_struct(&'static str) -> V;
        serialize_unit_variant(&'static str, u32, &'static str) -> V;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<V, V::Error> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T>(self, _: &'static str, value: &T) -> Result<V, V::Error>
    where
        T: Serialize + ?Sized,
    {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<V, V::Error>
    where
        T: Serialize + ?Sized,
    {
        refuse()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, V::Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, V::Error> {
        Ok(self)
    }
}

impl<V: Visitor> ser::SerializeStruct for Visit<V> {
    type Ok = V;
    type Error = V::Error;

    fn serialize_field<T>(&mut self, name: &'static str, value: &T) -> Result<(), V::Error>
    where
        T: Serialize + ?Sized,
    {
        self.visitor.field(name, value)
    }

    fn end(self) -> Result<V, V::Error> {
        Ok(self.visitor)
    }
}

impl<V: Visitor> SerializeMap for Visit<V> {
    type Ok = V;
    type Error = V::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), V::Error> {
        self.key = Some(serde_json::to_value(key).map_err(ser::Error::custom)?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), V::Error> {
        match self.key.take() {
            Some(Value::String(name)) => self.visitor.field(&name, value),
            _ => refuse(),
        }
    }

    fn end(self) -> Result<V, V::Error> {
        Ok(self.visitor)
    }
}

#[cfg(test)]
mod tests {
    use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
    use serde_json::json;

    use super::*;

    #[test]
    fn a_field_of_a_struct_or_of_a_map_is_what_it_is_in_json() {
        let value = json!({"metadata": {"name": "a"}, "status": {"phase": "Active"}});
        let object: Namespace = serde_json::from_value(value.clone()).unwrap();
        for found in [field(&object, "status"), field(&value, "status")] {
            assert_eq!(found.unwrap(), json!({"phase": "Active"}));
        }
    }

    #[test]
    fn a_field_that_is_not_there_is_null() {
        let value = json!({"metadata": {"name": "a"}});
        let object: ConfigMap = serde_json::from_value(value.clone()).unwrap();
        for found in [field(&object, "status"), field(&value, "status")] {
            assert_eq!(found.unwrap(), Value::Null);
        }
    }

    #[test]
    fn fields_are_copied_if_they_are_wanted() {
        struct Phaseless<'a, T>(&'a T);
        impl<T: Serialize> Serialize for Phaseless<'_, T> {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                copy(self.0, |name| name == "metadata", &mut map)?;
                map.end()
            }
        }
        let value =
            json!({"kind": "Namespace", "metadata": {"name": "a"}, "status": {"phase": "Active"}});
        let object: Namespace = serde_json::from_value(value.clone()).unwrap();
        let copied = json!({"metadata": {"name": "a"}});
        assert_eq!(serde_json::to_value(Phaseless(&object)).unwrap(), copied);
        assert_eq!(serde_json::to_value(Phaseless(&value)).unwrap(), copied);
        assert!(serde_json::to_value(Phaseless(&"a")).is_err());
    }

    #[test]
    fn what_has_no_fields_is_refused() {
        assert!(field(&"status", "status").is_err());
        assert!(field(&["status"], "status").is_err());
    }
}
