#[kb::resource(group = "example.com", version = "v1", kind = "Bucket", scope = Cluster, no_spec)]
struct Contents {
    max_size: Option<i64>,
}
