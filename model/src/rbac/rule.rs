//! A `#[kb::rbac(...)]` rule.

use std::fmt;

/// Verbs on resources or on non-resource URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// API groups; the core group is empty or `core`.
    pub groups: Vec<String>,
    /// Resources, with subresources as in `pods/log`.
    pub resources: Vec<String>,
    /// Object names; all objects if empty.
    pub resource_names: Vec<String>,
    /// Verbs.
    pub verbs: Vec<String>,
    /// Non-resource URLs.
    pub urls: Vec<String>,
    /// Namespace of the rule; all if absent.
    pub namespace: Option<String>,
    /// Role that contains the rule; the default role if absent.
    pub role_name: Option<String>,
    /// Reason why the operator needs it.
    pub reason: Option<String>,
}

impl Rule {
    /// Normalizes the core group to the empty string.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        for group in self.groups.iter_mut().filter(|group| *group == "core") {
            group.clear();
        }
        self
    }

    /// Returns the entries of a list argument.
    pub fn list(&self, argument: Argument) -> &[String] {
        match argument {
            Argument::Groups => &self.groups,
            Argument::Resources => &self.resources,
            Argument::ResourceNames => &self.resource_names,
            Argument::Verbs => &self.verbs,
            Argument::Urls => &self.urls,
            Argument::Namespace | Argument::RoleName | Argument::Reason => &[],
        }
    }
}

/// Syntax of `#[kb::rbac(...)]`, which determines the wording of help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `groups = "apps", resources = "deployments", verbs = "get;list"`
    Named,
    /// `"apps/deployments": get, list`
    Compact,
}

/// An argument of `#[kb::rbac(...)]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Argument {
    /// `groups`
    Groups,
    /// `resources`
    Resources,
    /// `resource_names`
    ResourceNames,
    /// `verbs`
    Verbs,
    /// `urls`
    Urls,
    /// `namespace`
    Namespace,
    /// `role_name`
    RoleName,
    /// `reason`
    Reason,
}

impl Argument {
    /// All arguments.
    pub const ALL: [Self; 8] = [
        Self::Groups,
        Self::Resources,
        Self::ResourceNames,
        Self::Verbs,
        Self::Urls,
        Self::Namespace,
        Self::RoleName,
        Self::Reason,
    ];

    /// Returns the argument's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Groups => "groups",
            Self::Resources => "resources",
            Self::ResourceNames => "resource_names",
            Self::Verbs => "verbs",
            Self::Urls => "urls",
            Self::Namespace => "namespace",
            Self::RoleName => "role_name",
            Self::Reason => "reason",
        }
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
