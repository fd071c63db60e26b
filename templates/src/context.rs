//! Template contexts.
//!
//! Contexts are structs, so that a test can check every dotted name in every template against them: Tera evaluates an unknown
//! name in an `if` to false. They contain only ready-to-print strings; `kb-model` derives the names and the commands decide
//! what to render.

use serde::Serialize;

/// The project, available to every template as `project`.
#[derive(Debug, Clone, Serialize)]
pub struct Project {
    /// Package name of the manager and prefix of all deployed objects: `my-operator`.
    pub name: String,
    /// Library name of the manager: `my_operator`.
    pub lib: String,
    /// Package name of the API crate: `my-operator-api`.
    pub api_package: String,
    /// Library name of the API crate: `my_operator_api`.
    pub api_lib: String,
    /// Namespace of the deployed manager: `my-operator-system`.
    pub namespace: String,
    /// Repository URL for Cargo.toml.
    pub repo: Option<String>,
    /// SPDX identifier for Cargo.toml.
    pub license: Option<String>,
    /// Copyright holder for the license text.
    pub owner: String,
    /// License header of Rust files: comment lines and a blank line, or an empty string.
    pub header: String,
    /// Whether the manager watches a list of namespaces instead of the whole cluster.
    pub namespaced: bool,
    /// Minimum Rust version of the project.
    pub rust_version: String,
}

/// Context of the `init` templates.
#[derive(Debug, Clone, Serialize)]
pub struct Init {
    /// The project.
    pub project: Project,
    /// The `kb` dependency in Cargo.toml: `{ package = "kb-runtime", version = "0.1" }`.
    pub kb: String,
    /// Arguments of `cargo install` that install this command: `kb-rs --locked --version 0.1.0`. `None` if only this machine
    /// has its sources; then the CI workflow is not rendered.
    pub kb_rs: Option<String>,
    /// Git repository of kb, as a TOML string.
    pub kb_git: Option<String>,
}

/// A kind, available to the `create api` templates as `api`.
#[derive(Debug, Clone, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the flags are independent of each other"
)]
pub struct Api {
    /// Full API group: `batch.example.com`.
    pub group: String,
    /// API version: `v1alpha1`.
    pub version: String,
    /// `AppService`.
    pub kind: String,
    /// Resource name: `appservices`.
    pub plural: String,
    /// Whether the plural differs from the default of the kind.
    pub custom_plural: bool,
    /// Name prefix of the roles for users: `appservice`, or `batch-appservice` in a multi-group project.
    pub role_prefix: String,
    /// Whether the kind is namespaced.
    pub namespaced: bool,
    /// Whether this is the storage version.
    pub storage: bool,
    /// Whether the group is a protected Kubernetes community group, which requires an annotation.
    pub protected: bool,
    /// Module of the type: `my_operator_api::v1alpha1`.
    pub module: String,
    /// Path of the type in its controllers: `AppService`.
    pub path: String,
    /// File name of the sample in config/samples: `batch_v1alpha1_appservice.yaml`.
    pub sample: String,
}

/// Context of the API type templates.
#[derive(Debug, Clone, Serialize)]
pub struct Resource {
    /// The project.
    pub project: Project,
    /// The kind.
    pub api: Api,
    /// The image that its objects run.
    pub image: Option<Image>,
}

/// A container image that a controller deploys.
#[derive(Debug, Clone, Serialize)]
pub struct Image {
    /// Default image, as a Rust literal.
    pub reference: String,
    /// Default port of the container and of the Service.
    pub port: Option<u16>,
    /// Command and arguments, as Rust literals; empty for those of the image.
    pub command: Vec<String>,
    /// UID of the processes.
    pub user: Option<u32>,
}

/// Context of the sample template.
#[derive(Debug, Clone, Serialize)]
pub struct SampleFile {
    /// The sample.
    pub sample: Sample,
}

/// A sample object of a kind.
#[derive(Debug, Clone, Serialize)]
pub struct Sample {
    /// Name of the project: `my-operator`.
    pub project: String,
    /// `batch.example.com/v1alpha1`.
    pub api_version: String,
    /// `AppService`.
    pub kind: String,
    /// Name of the object: `appservice-sample`.
    pub name: String,
    /// Fields below the metadata, as YAML without a trailing newline.
    pub fields: String,
}

/// Context of the controller templates.
#[derive(Debug, Clone, Serialize)]
pub struct Controller {
    /// The project.
    pub project: Project,
    /// The reconciled kind.
    pub api: Api,
    /// The controller.
    pub controller: Wiring,
    /// The owned kinds.
    pub owns: Vec<Owned>,
    /// The image that it deploys.
    pub image: Option<Image>,
    /// Path of the reconciled type in tests: `v1alpha1::AppService`.
    pub test_path: String,
    /// Builder calls that install the CRDs of these kinds into a test control plane, as arguments of the template function
    /// `chain`.
    pub crds: Vec<Vec<String>>,
    /// Whether `crds` contains CRDs of other crates.
    pub external_crds: bool,
    /// Required RBAC rules.
    pub rules: Vec<Rule>,
    /// Imported types of Kubernetes, sorted.
    pub k8s_imports: Vec<String>,
    /// Imported types of the project and of other crates, sorted.
    pub own_imports: Vec<String>,
}

/// Names and calls in the code of a controller.
#[derive(Debug, Clone, Serialize)]
pub struct Wiring {
    /// Name in logs and metrics: `appservice`.
    pub name: String,
    /// Module path below `controller`: `app_service` or `batch::app_service`.
    pub module: String,
    /// Variable of the store of the reconciled kind: `app_services`.
    pub variable: String,
    /// Variable of the reconciled object: `app_service`.
    pub object: String,
    /// The calls that configure it, as arguments of the template function `chain`.
    pub calls: Vec<Vec<String>>,
    /// Its finalizer: `batch.example.com/appservice`.
    pub finalizer: Option<String>,
    /// Whether it writes the status, as the first controller of a kind of this project does.
    pub status: bool,
}

/// A kind owned by a controller.
#[derive(Debug, Clone, Serialize)]
pub struct Owned {
    /// `Deployment`.
    pub kind: String,
    /// Kind in prose: `Deployment`, or `Event of events.k8s.io` if another owned kind has that name.
    pub title: String,
    /// Plural of the kind in prose: `Deployments`.
    pub kinds: String,
    /// Name of the type in the controller, usually the kind.
    pub path: String,
    /// Variable of its store: `deployments`.
    pub variable: String,
    /// Suffix of the function that returns the desired object: `deployment`.
    pub function: String,
}

/// An RBAC rule of a controller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// Group and resource or subresource: `apps/deployments`.
    pub resource: String,
    /// Verbs: `get, list, watch`.
    pub verbs: String,
    /// Reason, unless it is obvious, as an infinitive: `to report errors`.
    pub reason: Option<String>,
}
