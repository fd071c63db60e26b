use kb::k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;

#[kb::object]
struct Spec {
    #[kb(minimum = 1)]
    port: IntOrString,
}

fn main() {}
