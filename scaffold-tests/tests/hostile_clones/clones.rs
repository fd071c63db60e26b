//! Hostile clones: a scaffolded project with malicious additions.

use std::{
    collections::BTreeSet,
    fs::{self, File},
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::Command,
    sync::LazyLock,
};

use kb_envtest::Platform;
use kb_rs::{disk::JOURNAL, plan::RelPath};
use scaffold_tests::{Project, Tree};

use crate::sandbox::Sandbox;

/// Name of an endless file, and a function that creates it.
type Endless = (&'static str, fn(&Path));

/// A project with malicious additions.
pub(crate) struct HostileClone {
    pub(crate) name: String,
    attack: Box<dyn Fn(&Sandbox) + Send + Sync>,
}

/// The project, and the paths of all files that commands write in it.
static PROJECT: LazyLock<(Tree, BTreeSet<String>)> = LazyLock::new(|| {
    let project = Project::new(
        "init --domain example.com --project-name demo --api batch/v1/AppService --owner Mallory",
    );
    let before = project.tree();
    project.succeed(
        "create api --group batch --version v1 --kind Backup --owns apps/v1/Deployment
        generate
        edit --namespaced --license mit --enable prometheus
        init new --domain example.com",
    );
    let after = project.tree();
    let files = before.files().chain(after.files());
    let paths = files.map(|(path, _)| path.to_owned()).collect();
    (before, paths)
});

impl HostileClone {
    fn new(name: impl Into<String>, attack: impl Fn(&Sandbox) + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            attack: Box::new(attack),
        }
    }

    /// Writes the clone into a sandbox.
    pub(crate) fn write(&self, sandbox: &Sandbox) {
        PROJECT.0.write(&sandbox.root()).unwrap();
        (self.attack)(sandbox);
    }

    pub(crate) fn harmless() -> Self {
        Self::new("nothing", |_| {})
    }

    /// Staging must not follow links.
    pub(crate) fn with_links_at_staging_paths() -> Vec<Self> {
        let link_all = |target: &'static str| {
            move |sandbox: &Sandbox| {
                for name in &PROJECT.1 {
                    let staging = RelPath::new(name.as_str()).staging();
                    link(&sandbox.victim(target), &staging.below(&sandbox.root()));
                }
            }
        };
        vec![
            Self::new("links to a file at staging paths", link_all("victim")),
            Self::new("links to nothing at staging paths", link_all("new")),
            Self::new("links to a directory at staging paths", link_all("dir")),
        ]
    }

    /// Recovery must not remove or rename files behind links or above the project.
    pub(crate) fn with_journals_that_lead_outside() -> Vec<Self> {
        let private = fingerprint("private\n");
        let staging = r#"{"made_above":9,"folders":["linked/empty"],"files":[{"path":"linked/x","before":null}]}"#;
        let removing = format!(
            r#"{{"folders":[],"files":[{{"path":"linked/gone","before":{private},"remove":true}},{{"path":"linked/empty/x","before":1,"remove":true}}]}}"#
        );
        let renaming =
            format!(r#"{{"folders":[],"files":[{{"path":"linked/x","before":{private}}}]}}"#);
        let upward = r#"{"made_above":9,"folders":["../outside/dir/empty"],"files":[]}"#;
        let mut clones = Vec::new();
        for journal in [staging, removing.as_str(), renaming.as_str(), upward] {
            for ending in ["", "\ncommit\n"] {
                let text = format!("{journal}{ending}");
                clones.push(Self::new(format!("the journal {text}"), move |sandbox| {
                    link(&sandbox.victim("dir"), &sandbox.root().join("linked"));
                    fs::write(sandbox.root().join(JOURNAL), &text).unwrap();
                }));
            }
        }
        clones.push(Self::new("a journal that links to a file", |sandbox| {
            link(&sandbox.victim("victim"), &sandbox.root().join(JOURNAL));
        }));
        clones.push(Self::new("a journal that links to nothing", |sandbox| {
            link(&sandbox.victim("new"), &sandbox.root().join(JOURNAL));
        }));
        clones
    }

    pub(crate) fn with_linked_directories() -> Self {
        Self::new("linked directories", |sandbox| {
            for name in ["api", "config", "hack", "src", "tests"] {
                let dir = sandbox.root().join(name);
                let away = sandbox.victim(name);
                fs::rename(&dir, &away).unwrap();
                link(&away, &dir);
            }
        })
    }

    /// Links to devices, pipes without a writer, and files larger than memory.
    pub(crate) fn with_endless_files() -> Vec<Self> {
        let files = [
            JOURNAL,
            "PROJECT",
            "Cargo.toml",
            "api/Cargo.toml",
            "api/src/lib.rs",
            "api/src/v1/app_service.rs",
            "src/main.rs",
            "src/controller/app_service.rs",
            "hack/boilerplate.rs.txt",
            "config/rbac/role.yaml",
            "config/crd/bases/batch.example.com_appservices.yaml",
            "config/samples/batch_v1_appservice.yaml",
            "bin/k8s/in-use",
            "target/kb-rs/calls/demo/calls.json",
        ];
        let endless: [Endless; 3] = [
            ("/dev/zero", |path| link(Path::new("/dev/zero"), path)),
            ("a pipe", |path| {
                let status = Command::new("mkfifo").arg(path).status().unwrap();
                assert!(status.success());
            }),
            ("64 GiB of nothing", |path| {
                File::create(path).unwrap().set_len(64 << 30).unwrap();
            }),
        ];
        let pairs = files
            .into_iter()
            .flat_map(|file| endless.map(|(name, make)| (file, name, make)))
            // The other files are read by the same function as PROJECT.
            .filter(|(file, name, _)| !name.contains("GiB") || [JOURNAL, "PROJECT"].contains(file));
        pairs
            .map(|(file, name, make)| {
                Self::new(format!("{name} as {file}"), move |sandbox| {
                    let path = sandbox.root().join(file);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    let _ = fs::remove_file(&path);
                    make(&path);
                })
            })
            .collect()
    }

    /// Programs of the clone must not be executed.
    pub(crate) fn with_a_control_plane() -> Self {
        Self::new("a control plane", |sandbox| {
            let dir = sandbox.root().join("bin/k8s").join(version_dir());
            fs::create_dir_all(&dir).unwrap();
            for name in [
                "etcd",
                "kube-apiserver",
                "kube-controller-manager",
                "kubectl",
            ] {
                let path = dir.join(name);
                let executed = sandbox.victim("executed");
                fs::write(
                    &path,
                    format!("#!/bin/sh\ntouch '{}'\n", executed.display()),
                )
                .unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        })
    }

    /// Links in place of the files that envtest keeps.
    pub(crate) fn with_links_in_bin_k8s() -> Vec<Self> {
        let version = version_dir();
        let links = [
            ("in-use", "victim"),
            (".lock", "victim"),
            (".lock", "new"),
            (".download-0.part", "victim"),
            (".staged-0", "dir"),
            (version.as_str(), "dir"),
        ];
        let clones = links.map(|(name, victim)| {
            let name = format!("bin/k8s/{name}");
            Self::new(format!("a link from {name} to {victim}"), move |sandbox| {
                link(&sandbox.victim(victim), &sandbox.root().join(&name));
            })
        });
        clones.into()
    }

    /// Control characters in PROJECT, sources and file names.
    pub(crate) fn with_terminal_escapes() -> Vec<Self> {
        const TITLE: &str = "\u{1b}]0;owned\u{7}\u{9b}2J";
        let appended = |file: &'static str, text: &'static str| {
            let name = format!("terminal escapes in {file}");
            Self::new(name, move |sandbox| {
                let path = sandbox.root().join(file);
                let old = fs::read_to_string(&path).unwrap();
                fs::write(&path, format!("{old}{text}")).unwrap();
            })
        };
        vec![
            appended("PROJECT", "\"\\e]0;owned\\a\": 1\n\"\\e]0;owned\\a\": 1\n"),
            appended(
                "api/src/lib.rs",
                "fn broken( { \u{1b}]0;owned\u{7} \u{9b}2J }\n",
            ),
            appended(
                "src/controller/app_service.rs",
                "#[kb::rbac(groups = \"\u{1b}]0;owned\u{7}\", resources = \"\u{9b}2J\", verbs = \"get\")]\nstruct X;\n",
            ),
            appended("Cargo.toml", "\"\u{1b}]0;owned\u{7}\" = [\n"),
            Self::new("terminal escapes in names", |sandbox| {
                for dir in [
                    "config/crd/bases",
                    "config/samples",
                    "target/kb-rs/calls/demo",
                ] {
                    let dir = sandbox.root().join(dir);
                    fs::create_dir_all(&dir).unwrap();
                    fs::write(dir.join(format!("{TITLE}.yaml")), TITLE).unwrap();
                }
            }),
            Self::new("terminal escapes in the journal", |sandbox| {
                let journal = format!(r#"{{"folders":["{TITLE}"],"files":[]}}"#);
                fs::write(sandbox.root().join(JOURNAL), journal).unwrap();
            }),
        ]
    }
}

fn link(target: &Path, at: &Path) {
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    symlink(target, at).unwrap();
}

/// Returns the digest of a file in a journal: FNV-1a.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Returns the directory name of a version for this platform.
fn version_dir() -> String {
    format!(
        "v1.36.2-{}",
        Platform::current().to_string().replace('/', "-")
    )
}
