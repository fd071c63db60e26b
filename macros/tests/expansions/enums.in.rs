#[kb::object]
#[derive(Copy, Eq)]
pub enum Mode {
    #[default]
    Fast,
    Slow,
}

#[kb::object]
pub enum Source {
    Named(String),
    Numbered {
        #[kb(minimum = 1)]
        the_number: i64,
    },
}
