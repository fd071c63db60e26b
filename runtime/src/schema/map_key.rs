//! Types that can be keys of maps.

use std::{borrow::Cow, rc::Rc, sync::Arc};

/// A type that is serialized as a string and can be the key of a map.
///
/// [`#[kb::object]`](macro@crate::object) implements it for enums without data, and for newtypes of such a type.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the key of a map: it is not serialized as a string",
    label = "the keys of this map are not strings",
    note = "use `String`, an enum without data or a newtype of them, or a list of objects with `#[kb(list_map_key = \"..\")]`"
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
