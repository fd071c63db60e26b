use kb::k8s_openapi::apimachinery::pkg::apis::meta::v1::ObjectMeta;
use std::collections::BTreeMap;

#[kb::resource(group = "example.com", version = "v1", kind = "Memo", status = MemoStatus)]
pub struct MemoSpec {
    #[kb(minimun = 1)]
    #[serde(rename = "count")]
    pub number: i32,
    pub mode: Option<Mode>,
    pub by_mode: BTreeMap<Mode, Vec<Mode>>,
}

#[kb::object]
pub struct MemoStatus {
    #[kb(column)]
    pub mode: Option<Mode>,
}

#[kb::object]
#[derive(Eq, PartialOrd, Ord)]
pub enum Mode {
    #[serde(rename = "fast")]
    Fast,
}

fn main() {
    let memo = Memo {
        metadata: ObjectMeta::default(),
        spec: MemoSpec::default(),
        status: Some(MemoStatus { mode: Some(Mode::Fast) }),
    };
    let _ = Memo::new("a", memo.spec.clone());
    let _ = Memo::crd();
    let _ = kb::crds([Memo::definition()]);
    assert_eq!(memo, memo.clone());
}
