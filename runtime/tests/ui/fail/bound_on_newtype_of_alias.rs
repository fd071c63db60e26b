type Name = String;

#[kb::object]
#[kb(maximum = 5)]
struct Title(Name);

fn main() {}
