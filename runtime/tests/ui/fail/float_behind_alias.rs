type Ratio = f64;

#[kb::object]
struct Spec {
    ratios: Vec<Ratio>,
}

fn main() {}
