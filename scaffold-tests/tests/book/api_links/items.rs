//! Items of kb and kb-envtest that the book mentions.

/// Types with their pages, and the methods and variants that the book mentions.
#[rustfmt::skip] // One line per type.
pub(super) const TYPES: &[(&str, &str, &[&str])] = &[
    ("Manager", "kb/manager/struct.Manager.html", &["new", "with_client", "for_tests", "spawn", "client", "objects", "event_recorder", "metrics", "probes", "store", "store_with", "add_controller", "run"]),
    ("RunningManager", "kb/manager/struct.RunningManager.html", &["stop"]),
    ("Flags", "kb/flags/struct.Flags.html", &[]),
    ("Controller", "kb/controller/struct.Controller.html", &["new", "owns", "watches", "reads", "concurrency", "retry", "timeout", "finalizer", "report_errors", "run"]),
    ("Action", "kb/controller/struct.Action.html", &["requeue", "await_change"]),
    ("Error", "kb/controller/struct.Error.html", &["new", "terminal", "with_reason"]),
    ("TerminalError", "kb/controller/struct.TerminalError.html", &[]),
    ("Cleanup", "kb/controller/enum.Cleanup.html", &["Done", "Pending"]),
    ("RetryPolicy", "kb/controller/struct.RetryPolicy.html", &["backoff", "jitter", "rate", "max_retries"]),
    ("Store", "kb/store/struct.Store.html", &["new", "get", "list", "owned_by", "index", "label_index", "subscribe", "wait_until_synced", "invalid_objects"]),
    ("Index", "kb/store/struct.Index.html", &["get"]),
    ("Objects", "kb/objects/struct.Objects.html", &["apply", "apply_unowned", "apply_with_cached", "prune", "prune_from", "prune_oldest", "patch_status"]),
    ("Applied", "kb/objects/enum.Applied.html", &["Created", "Patched", "Unchanged", "object", "is_unchanged"]),
    ("ApplyError", "kb/objects/enum.ApplyError.html", &[]),
    ("Owner", "kb/objects/struct.Owner.html", &["of"]),
    ("Readiness", "kb/objects/struct.Readiness.html", &["observe", "not_ready", "set_on"]),
    ("EventRecorder", "kb/objects/struct.EventRecorder.html", &["publish"]),
    ("Leadership", "kb/leader/struct.Leadership.html", &[]),
    ("Certificates", "kb/server/struct.Certificates.html", &[]),
    ("Probes", "kb/server/struct.Probes.html", &[]),
    ("Environment", "kb_envtest/struct.Environment.html", &["builder", "client", "operator", "apply", "webhook_server", "install_webhooks"]),
    ("Operator", "kb_envtest/struct.Operator.html", &["client", "wait_for", "check", "stale_writes"]),
    ("SharedEnvironment", "kb_envtest/struct.SharedEnvironment.html", &["start"]),
];

/// Functions and modules.
#[rustfmt::skip] // One line per item.
pub(super) const FUNCTIONS: &[(&str, &str)] = &[
    ("kb::spawn_blocking", "kb/fn.spawn_blocking.html"),
    ("kb::Schema", "kb/schema/trait.Schema.html"),
    ("objects::conditions", "kb/objects/conditions/index.html"),
    ("conditions::condition", "kb/objects/conditions/fn.condition.html"),
    ("conditions::ready", "kb/objects/conditions/fn.ready.html"),
    ("conditions::set", "kb/objects/conditions/fn.set.html"),
    ("conditions::find", "kb/objects/conditions/fn.find.html"),
    ("conditions::is_true", "kb/objects/conditions/fn.is_true.html"),
    ("conditions::remove", "kb/objects/conditions/fn.remove.html"),
    ("kb::leader", "kb/leader/index.html"),
    ("kb::server", "kb/server/index.html"),
    ("kb::metrics", "kb/metrics/index.html"),
    ("kb::store", "kb/store/index.html"),
    ("kb_envtest::skip", "kb_envtest/fn.skip.html"),
];

/// Attribute macros.
pub(super) const MACROS: [&str; 3] = ["object", "rbac", "resource"];

/// Types of variables in examples.
pub(super) const RECEIVERS: &[(&str, &str)] = &[
    ("manager", "Manager"),
    ("running", "RunningManager"),
    ("controller", "Controller"),
    ("store", "Store"),
    ("index", "Index"),
    ("objects", "Objects"),
    ("events", "EventRecorder"),
    ("recorder", "EventRecorder"),
    ("environment", "Environment"),
    ("operator", "Operator"),
];

/// Methods that the book mentions without their type.
pub(super) const BARE_METHODS: &[(&str, &str)] = &[
    ("apply", "Objects"),
    ("apply_unowned", "Objects"),
    ("prune", "Objects"),
    ("patch_status", "Objects"),
    ("owned_by", "Store"),
    ("label_index", "Store"),
    ("subscribe", "Store"),
    ("store_with", "Manager"),
    ("install_webhooks", "Environment"),
];
