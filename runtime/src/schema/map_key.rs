//! What can be the key of a map.

use std::{borrow::Cow, rc::Rc, sync::Arc};

/// A type that serde writes as a string, so that it can be the key of a map.
///
/// [`#[kb::object]`](macro@crate::object) implements it for enums without data, and for newtypes of such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map: it is no string on the wire",
    label = "the keys of this map are no strings",
    note = "keys can be `String`, an enum without data or a newtype of them; for other keys use a list of objects with `#[kb(list_map_key = \"..\")]`"
)]
pub trait MapKey {}

impl MapKey for String {}
impl MapKey for str {}
impl MapKey for char {}
impl<T: MapKey + ?Sized> MapKey for &T {}
impl<T: MapKey + ?Sized> MapKey for Box<T> {}
impl<T: MapKey + ?Sized> MapKey for Arc<T> {}
impl<T: MapKey + ?Sized> MapKey for Rc<T> {}
impl<T: MapKey + ToOwned + ?Sized> MapKey for Cow<'_, T> {}
