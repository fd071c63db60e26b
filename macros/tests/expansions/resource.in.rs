/// Runs an image.
#[kb::resource(group = "example.com", version = "v1", kind = "App", status = AppStatus, short_name = "ap")]
pub struct AppSpec {
    /// Pods to run.
    #[kb(minimum = 1, maximum = 10, default = 1, column)]
    pub replicas: i32,
    #[kb(default = computed())]
    pub limit: i64,
    #[kb(max_length = 63)]
    pub name: Name,
    pub image: Option<String>,
}

pub type Name = String;

fn computed() -> i64 {
    42
}

/// What was seen.
#[kb::object]
pub struct AppStatus {
    #[kb(column(name = "Ready"))]
    pub ready_replicas: Option<i32>,
}
