type Names = Vec<String>;

#[kb::object]
struct Spec {
    #[kb(items(minimum = 5))]
    names: Names,
}

fn main() {}
