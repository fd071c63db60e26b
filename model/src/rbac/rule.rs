//! What one `#[kb::rbac(...)]` says.

use std::fmt;

/// Some verbs on some resources, or on some URLs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rule {
    /// API groups; the core group is empty or `core`.
    pub groups: Vec<String>,
    /// Resources, and subresources as `pods/log`.
    pub resources: Vec<String>,
    /// The objects that are meant; all, if there is none.
    pub resource_names: Vec<String>,
    /// What may be done.
    pub verbs: Vec<String>,
    /// Paths of the API server that are no resources.
    pub urls: Vec<String>,
    /// The namespace that the rule is for; all, if absent.
    pub namespace: Option<String>,
    /// The role that has the rule; the default, if absent.
    pub role_name: Option<String>,
    /// Why the operator needs it.
    pub reason: Option<String>,
}

impl Rule {
    /// The same rule with the core group in Kubernetes' spelling, which is nothing.
    #[must_use]
    pub fn canonical(mut self) -> Self {
        for group in self.groups.iter_mut().filter(|group| *group == "core") {
            group.clear();
        }
        self
    }

    /// The entries of an argument that is a list; none of the others.
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
    /// All of them.
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

    /// As it is written.
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
