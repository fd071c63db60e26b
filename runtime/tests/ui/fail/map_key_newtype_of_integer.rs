use std::collections::BTreeMap;

#[kb::object]
#[derive(Eq, PartialOrd, Ord)]
struct Port(u16);

#[kb::object]
struct Spec {
    names: BTreeMap<Port, String>,
}

fn main() {}
