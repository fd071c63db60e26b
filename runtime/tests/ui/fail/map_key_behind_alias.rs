use std::collections::BTreeMap;

type Port = u16;

#[kb::object]
struct Spec {
    names: BTreeMap<Port, String>,
}

fn main() {}
