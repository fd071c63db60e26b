//! A serde serializer that writes a value into a hasher.
//!
//! Fields of structs come in the order of the type. The entries of a map may come in any order, so each has a hash of its own, and these are sorted.

use std::hash::{Hash, Hasher};

use serde::{Serialize, Serializer, ser};
use serde_json::{Error, Result, Value};

use super::digest::{Counts, DigestHasher, hasher};

/// See the module.
pub(super) struct Digester<'a> {
    hasher: &'a mut DigestHasher,
    counts: Counts,
}

/// What stands before a value and after the last of several, so that other values have other hashes. The hasher takes in numbers apart
/// from texts, so it must see from the numbers alone which comes when.
#[derive(Clone, Copy)]
enum Part {
    Null,
    Bool,
    Signed,
    Unsigned,
    SignedLong,
    UnsignedLong,
    Float,
    Text,
    Bytes,
    List,
    Fields,
    Variant,
    Map,
    End,
}

impl Part {
    fn hash(self, hasher: &mut DigestHasher) {
        hasher.write_u8(self as u8);
    }
}

impl<'a> Digester<'a> {
    pub(super) fn new(hasher: &'a mut DigestHasher, counts: Counts) -> Self {
        Self { hasher, counts }
    }

    fn scalar(self, part: Part, value: &(impl Hash + ?Sized)) {
        part.hash(self.hasher);
        value.hash(self.hasher);
    }

    fn begin(self, part: Part) -> Self {
        part.hash(self.hasher);
        self
    }

    /// The value that follows is one of this variant.
    fn variant(self, name: &str) -> Self {
        Part::Variant.hash(self.hasher);
        name.hash(self.hasher);
        self
    }

    fn item(&mut self, value: &(impl Serialize + ?Sized)) -> Result<()> {
        value.serialize(Digester::new(self.hasher, self.counts))
    }

    fn field(&mut self, name: &str, value: &(impl Serialize + ?Sized)) -> Result<()> {
        match self.counts.of(name) {
            Counts::Nothing => Ok(()),
            counts => {
                name.hash(self.hasher);
                value.serialize(Digester::new(self.hasher, counts))
            }
        }
    }

    fn close(self) {
        Part::End.hash(self.hasher);
    }
}

macro_rules! scalars {
    ($($part:ident($as:ty): $($method:ident($type:ty)),*;)*) => {$($(
        fn $method(self, value: $type) -> Result<()> {
            self.scalar(Part::$part, &<$as>::from(value));
            Ok(())
        }
    )*)*};
}

impl<'a> Serializer for Digester<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    scalars! {
        Bool(bool): serialize_bool(bool);
        Signed(i64): serialize_i8(i8), serialize_i16(i16), serialize_i32(i32), serialize_i64(i64);
        Unsigned(u64): serialize_u8(u8), serialize_u16(u16), serialize_u32(u32), serialize_u64(u64);
        SignedLong(i128): serialize_i128(i128);
        UnsignedLong(u128): serialize_u128(u128);
    }

    fn serialize_str(self, value: &str) -> Result<()> {
        self.scalar(Part::Text, value);
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        self.scalar(Part::Bytes, value);
        Ok(())
    }

    fn serialize_f32(self, value: f32) -> Result<()> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<()> {
        self.scalar(Part::Float, &value.to_bits());
        Ok(())
    }

    fn serialize_unit(self) -> Result<()> {
        self.begin(Part::Null);
        Ok(())
    }

    fn serialize_none(self) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<()> {
        value.serialize(self)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    fn serialize_newtype_struct<T>(self, _: &'static str, value: &T) -> Result<()>
    where
        T: Serialize + ?Sized,
    {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, name: &'static str) -> Result<()> {
        self.scalar(Part::Text, name);
        Ok(())
    }

    fn serialize_newtype_variant<T>(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        value: &T,
    ) -> Result<()>
    where
        T: Serialize + ?Sized,
    {
        value.serialize(self.variant(name))
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self> {
        Ok(self.begin(Part::List))
    }

    fn serialize_tuple(self, _: usize) -> Result<Self> {
        Ok(self.begin(Part::List))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self.begin(Part::List))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self> {
        Ok(self.variant(name).begin(Part::List))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Entries<'a>> {
        Ok(Entries {
            digester: self,
            hashes: Vec::new(),
            next: None,
        })
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self> {
        Ok(self.begin(Part::Fields))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        name: &'static str,
        _: usize,
    ) -> Result<Self> {
        Ok(self.variant(name).begin(Part::Fields))
    }
}

macro_rules! lists {
    ($($trait:ident: $method:ident),*) => {$(
        impl ser::$trait for Digester<'_> {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
                self.item(value)
            }

            fn end(self) -> Result<()> {
                self.close();
                Ok(())
            }
        }
    )*};
}

lists! {
    SerializeSeq: serialize_element, SerializeTuple: serialize_element,
    SerializeTupleStruct: serialize_field, SerializeTupleVariant: serialize_field
}

macro_rules! structs {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Digester<'_> {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T>(&mut self, name: &'static str, value: &T) -> Result<()>
            where
                T: Serialize + ?Sized,
            {
                self.field(name, value)
            }

            fn end(self) -> Result<()> {
                self.close();
                Ok(())
            }
        }
    )*};
}

structs! { SerializeStruct, SerializeStructVariant }

/// The entries of a map.
pub(super) struct Entries<'a> {
    digester: Digester<'a>,
    hashes: Vec<u64>,
    /// The hasher of an entry, with its key, and what of its value counts.
    next: Option<(DigestHasher, Counts)>,
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<()> {
        let counts = match self.digester.counts {
            some @ (Counts::AllBut(_) | Counts::Only(_)) => match serde_json::to_value(key)? {
                Value::String(name) => some.of(&name),
                _ => Counts::All,
            },
            all_or_nothing => all_or_nothing,
        };
        let mut hasher = hasher();
        key.serialize(Digester::new(&mut hasher, Counts::All))?;
        self.next = Some((hasher, counts));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<()> {
        match self.next.take() {
            None => Err(ser::Error::custom("a value without a key")),
            Some((_, Counts::Nothing)) => Ok(()),
            Some((mut hasher, counts)) => {
                value.serialize(Digester::new(&mut hasher, counts))?;
                self.hashes.push(hasher.finish());
                Ok(())
            }
        }
    }

    fn end(mut self) -> Result<()> {
        self.hashes.sort_unstable();
        let digester = self.digester.begin(Part::Map);
        self.hashes.hash(digester.hasher);
        Ok(())
    }
}
