//! A serde serializer that takes one field out of an object, and leaves the others as they are.
//!
//! The status of an object is needed as JSON, and there is no way to it but to serialise the object.

use serde::{
    Serialize, Serializer,
    ser::{self, Impossible},
};
use serde_json::{Error, Result, Value};

/// A field of an object as JSON; null, if there is none.
pub(super) fn field(object: &impl Serialize, name: &'static str) -> Result<Value> {
    object.serialize(Pick {
        name,
        is_next: false,
        found: Value::Null,
    })
}

struct Pick {
    name: &'static str,
    /// Whether the value that comes next is the one: for maps, which are told keys and values apart.
    is_next: bool,
    found: Value,
}

fn refuse<T>() -> Result<T> {
    Err(ser::Error::custom("not an object with fields"))
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) -> $result:ty;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$result> {
            refuse()
        }
    )*};
}

impl Serializer for Pick {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Impossible<Value, Error>;
    type SerializeTuple = Impossible<Value, Error>;
    type SerializeTupleStruct = Impossible<Value, Error>;
    type SerializeTupleVariant = Impossible<Value, Error>;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Impossible<Value, Error>;

    refused! {
        serialize_bool(bool) -> Value;
        serialize_i8(i8) -> Value;
        serialize_i16(i16) -> Value;
        serialize_i32(i32) -> Value;
        serialize_i64(i64) -> Value;
        serialize_u8(u8) -> Value;
        serialize_u16(u16) -> Value;
        serialize_u32(u32) -> Value;
        serialize_u64(u64) -> Value;
        serialize_f32(f32) -> Value;
        serialize_f64(f64) -> Value;
        serialize_char(char) -> Value;
        serialize_str(&str) -> Value;
        serialize_bytes(&[u8]) -> Value;
        serialize_none() -> Value;
        serialize_unit() -> Value;
        serialize_unit_struct(&'static str) -> Value;
        serialize_unit_variant(&'static str, u32, &'static str) -> Value;
        serialize_seq(Option<usize>) -> Self::SerializeSeq;
        serialize_tuple(usize) -> Self::SerializeTuple;
        serialize_tuple_struct(&'static str, usize) -> Self::SerializeTupleStruct;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Self::SerializeTupleVariant;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Self::SerializeStructVariant;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Value> {
        value.serialize(self)
    }

    fn serialize_newtype_struct<T>(self, _: &'static str, value: &T) -> Result<Value>
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
    ) -> Result<Value>
    where
        T: Serialize + ?Sized,
    {
        refuse()
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self)
    }
}

impl ser::SerializeStruct for Pick {
    type Ok = Value;
    type Error = Error;

    fn serialize_field<T>(&mut self, name: &'static str, value: &T) -> Result<()>
    where
        T: Serialize + ?Sized,
    {
        if name == self.name {
            self.found = serde_json::to_value(value)?;
        }
        Ok(())
    }

    fn end(self) -> Result<Value> {
        Ok(self.found)
    }
}

impl ser::SerializeMap for Pick {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        self.is_next = serde_json::to_value(key)? == self.name;
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        if self.is_next {
            self.found = serde_json::to_value(value)?;
        }
        Ok(())
    }

    fn end(self) -> Result<Value> {
        Ok(self.found)
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
    fn what_has_no_fields_is_refused() {
        assert!(field(&"status", "status").is_err());
        assert!(field(&["status"], "status").is_err());
    }
}
