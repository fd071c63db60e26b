type Names = Vec<String>;

#[kb::object]
struct Spec {
    #[kb(values(min_length = 5))]
    names: Names,
}

fn main() {}
