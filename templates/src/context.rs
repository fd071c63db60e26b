//! What a template may name.
//!
//! Contexts are structs, so that a field that is gone fails to compile here, and a test can hold every dotted name of every
//! template against them (Tera takes an unknown name in an `if` for false). They carry finished strings: naming rules
//! live in `kb-model`, decisions in the commands.

use serde::Serialize;

/// The project: every template sees it as `project`.
#[derive(Debug, Clone, Serialize)]
pub struct Project {
    /// Package name of the manager and prefix of every deployed object: `my-operator`.
    pub name: String,
    /// The manager's library: `my_operator`.
    pub lib: String,
    /// Package name of the API crate: `my-operator-api`.
    pub api_package: String,
    /// The API crate's library: `my_operator_api`.
    pub api_lib: String,
    /// The namespace it is deployed to: `my-operator-system`.
    pub namespace: String,
    /// Repository URL for Cargo.toml.
    pub repo: Option<String>,
    /// SPDX identifier for Cargo.toml.
    pub license: Option<String>,
    /// Copyright holder for the licence text.
    pub owner: String,
    /// Licence header of Rust files: comment lines and a blank line, or nothing.
    pub header: String,
    /// Whether the manager watches single namespaces rather than the cluster.
    pub namespaced: bool,
    /// The Rust version the project needs.
    pub rust_version: String,
}

/// What `init` renders.
#[derive(Debug, Clone, Serialize)]
pub struct Init {
    /// The project.
    pub project: Project,
    /// Where kb's library comes from, as Cargo.toml says it: `{ package = "kb-runtime", version = "0.1" }`.
    pub kb: String,
    /// What `cargo install` is told to get this command: `kb-rs --locked --version 0.1.0`.
    pub kb_rs: String,
    /// The git repository that kb's library comes from, as a TOML string.
    pub kb_git: Option<String>,
}

/// A kind: every template of `create api` sees it as `api`.
#[derive(Debug, Clone, Serialize)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a question of its own"
)]
pub struct Api {
    /// The group as the API server has it: `batch.example.com`.
    pub group: String,
    /// `v1alpha1`.
    pub version: String,
    /// `AppService`.
    pub kind: String,
    /// `AppService` with its article: `an AppService`.
    pub a_kind: String,
    /// `appservices`.
    pub plural: String,
    /// Whether that is another plural than the usual one.
    pub custom_plural: bool,
    /// Prefix of its helper roles: `appservice`, or `batch-appservice` with several groups.
    pub role_prefix: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// Whether this version is the one that is stored.
    pub storage: bool,
    /// Whether its group belongs to the Kubernetes community, which asks for an annotation.
    pub protected: bool,
    /// The module its type is in: `my_operator_api::v1alpha1`.
    pub module: String,
    /// The type as controllers name it: `v1alpha1::AppService`.
    pub path: String,
    /// The file of its sample in config/samples: `batch_v1alpha1_appservice.yaml`.
    pub sample: String,
}

/// What `create api` renders for a type of the project's own.
#[derive(Debug, Clone, Serialize)]
pub struct Resource {
    /// The project.
    pub project: Project,
    /// The kind.
    pub api: Api,
}

/// What a sample is rendered with.
#[derive(Debug, Clone, Serialize)]
pub struct SampleFile {
    /// The sample.
    pub sample: Sample,
}

/// A sample of a kind.
#[derive(Debug, Clone, Serialize)]
pub struct Sample {
    /// The project's name: `my-operator`.
    pub project: String,
    /// `batch.example.com/v1alpha1`.
    pub api_version: String,
    /// `AppService`.
    pub kind: String,
    /// The name of the object: `appservice-sample`.
    pub name: String,
    /// The fields after the metadata, as YAML without a newline at the end.
    pub fields: String,
}

/// What `create api` renders for a controller.
#[derive(Debug, Clone, Serialize)]
pub struct Controller {
    /// The project.
    pub project: Project,
    /// The kind it reconciles.
    pub api: Api,
    /// The controller.
    pub controller: Wiring,
    /// What it owns.
    pub owns: Vec<Owned>,
    /// The calls that give a test's control plane the CRDs of these kinds, as the template function `chain` takes them.
    pub crds: Vec<Vec<String>>,
    /// Whether CRDs of other crates are among them.
    pub external_crds: bool,
    /// What it has to be allowed.
    pub rules: Vec<Rule>,
    /// Imports of Kubernetes' own types, sorted.
    pub k8s_imports: Vec<String>,
    /// Imports of the project's own and of foreign types, sorted.
    pub own_imports: Vec<String>,
}

/// How a controller is called.
#[derive(Debug, Clone, Serialize)]
pub struct Wiring {
    /// Its name in logs and metrics: `appservice`.
    pub name: String,
    /// Its module below `controller`: `app_service` or `batch::app_service`.
    pub module: String,
    /// The calls that say what it owns, as the template function `chain` takes them.
    pub owns: Vec<Vec<String>>,
    /// Whether it writes the status: the first controller of a kind of the project's own does.
    pub status: bool,
}

/// A kind that a controller makes.
#[derive(Debug, Clone, Serialize)]
pub struct Owned {
    /// `Deployment`.
    pub kind: String,
    /// The type as the controller names it, usually the kind.
    pub path: String,
    /// A variable for the store of them: `deployments`.
    pub variable: String,
    /// What a function that makes one is called after: `deployment`.
    pub function: String,
}

/// A rule that a controller needs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rule {
    /// The API group, empty for the core group.
    pub groups: String,
    /// The resource, maybe with a subresource: `deployments`.
    pub resources: String,
    /// The verbs: `get;list;watch`.
    pub verbs: String,
    /// Why, as part of a sentence.
    pub reason: String,
}
