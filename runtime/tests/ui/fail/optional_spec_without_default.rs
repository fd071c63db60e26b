#[kb::object]
enum Mode {
    Fast,
    Slow,
}

#[kb::resource(group = "example.com", version = "v1", kind = "Memo", optional_spec)]
struct MemoSpec {
    mode: Mode,
}

fn main() {}
