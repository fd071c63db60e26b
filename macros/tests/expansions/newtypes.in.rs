/// A name.
#[kb::object]
#[kb(max_length = 63)]
pub struct Name(pub String);

#[kb::object]
pub struct Ratio(#[kb(allow_float)] pub f64);

#[kb::object]
pub struct Parts<T> {
    pub first: T,
    #[kb(optional, max_items = 3)]
    pub others: Vec<T>,
}
