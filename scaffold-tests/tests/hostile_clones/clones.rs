//! The hostile clones: a project that kb-rs made, and what somebody has put into it.

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
use scaffold_tests::{KbRs, Tree};

use crate::ground::Ground;

/// What has no end, and how it is made at a path.
type Endless = (&'static str, fn(&Path));

/// A project as somebody got it.
pub(crate) struct HostileClone {
    pub(crate) name: String,
    malice: Box<dyn Fn(&Ground) + Send + Sync>,
}

/// The project, and the names of all files that commands make in it or of it.
static PROJECT: LazyLock<(Tree, BTreeSet<String>)> = LazyLock::new(|| {
    let kb_rs = KbRs::at(env!("CARGO_BIN_EXE_kb-rs-under-test"));
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let init =
        "init --domain example.com --project-name demo --api batch/v1/AppService --owner Mallory";
    kb_rs.succeed(root, init);
    let project = Tree::read(root).unwrap();
    kb_rs.succeed(
        root,
        "create api --group batch --version v1 --kind Backup --owns apps/v1/Deployment",
    );
    kb_rs.succeed(root, "generate");
    kb_rs.succeed(root, "edit --namespaced --license mit --enable prometheus");
    kb_rs.succeed(root, "init new --domain example.com");
    let grown = Tree::read(root).unwrap();
    let files = project.files().chain(grown.files());
    let names = files.map(|(path, _)| path.to_owned()).collect();
    (project, names)
});

impl HostileClone {
    fn new(name: impl Into<String>, malice: impl Fn(&Ground) + Send + Sync + 'static) -> Self {
        Self {
            name: name.into(),
            malice: Box::new(malice),
        }
    }

    /// Puts it onto the ground.
    pub(crate) fn make(&self, ground: &Ground) {
        PROJECT.0.write(&ground.root()).unwrap();
        (self.malice)(ground);
    }

    pub(crate) fn harmless() -> Self {
        Self::new("nothing", |_| {})
    }

    /// H1 of the review: what was staged went through the link.
    pub(crate) fn with_links_at_staging_names() -> Vec<Self> {
        let link_all = |target: &'static str| {
            move |ground: &Ground| {
                for name in &PROJECT.1 {
                    let staging = RelPath::new(name.as_str()).staging();
                    link(&ground.victim(target), &staging.below(&ground.root()));
                }
            }
        };
        vec![
            Self::new("links to a file at staging names", link_all("victim")),
            Self::new("links to nothing at staging names", link_all("new")),
            Self::new("links to a folder at staging names", link_all("folder")),
        ]
    }

    /// M6: recovery removed and renamed what the journal said, behind links, and above the project.
    pub(crate) fn with_journals_that_lead_outside() -> Vec<Self> {
        let private = fingerprint("private\n");
        let staging = r#"{"made_above":9,"folders":["linked/empty"],"files":[{"path":"linked/x","before":null}]}"#;
        let removing = format!(
            r#"{{"folders":[],"files":[{{"path":"linked/gone","before":{private},"remove":true}},{{"path":"linked/empty/x","before":1,"remove":true}}]}}"#
        );
        let renaming =
            format!(r#"{{"folders":[],"files":[{{"path":"linked/x","before":{private}}}]}}"#);
        let upward = r#"{"made_above":9,"folders":["../outside/folder/empty"],"files":[]}"#;
        let mut clones = Vec::new();
        for journal in [staging, removing.as_str(), renaming.as_str(), upward] {
            for ending in ["", "\ncommit\n"] {
                let text = format!("{journal}{ending}");
                clones.push(Self::new(format!("the journal {text}"), move |ground| {
                    link(&ground.victim("folder"), &ground.root().join("linked"));
                    fs::write(ground.root().join(JOURNAL), &text).unwrap();
                }));
            }
        }
        clones.push(Self::new("a journal that links to a file", |ground| {
            link(&ground.victim("victim"), &ground.root().join(JOURNAL));
        }));
        clones.push(Self::new("a journal that links to nothing", |ground| {
            link(&ground.victim("new"), &ground.root().join(JOURNAL));
        }));
        clones
    }

    pub(crate) fn with_folders_behind_links() -> Self {
        Self::new("all folders behind links", |ground| {
            for name in ["api", "config", "hack", "src", "tests"] {
                let folder = ground.root().join(name);
                let away = ground.victim(name);
                fs::rename(&folder, &away).unwrap();
                link(&away, &folder);
            }
        })
    }

    /// Links to devices, pipes that nobody writes to, and files larger than any memory.
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
            // All are read by the same function, but for these.
            .filter(|(file, name, _)| !name.contains("GiB") || [JOURNAL, "PROJECT"].contains(file));
        pairs
            .map(|(file, name, make)| {
                Self::new(format!("{name} as {file}"), move |ground| {
                    let path = ground.root().join(file);
                    fs::create_dir_all(path.parent().unwrap()).unwrap();
                    let _ = fs::remove_file(&path);
                    make(&path);
                })
            })
            .collect()
    }

    /// L5: the programs of the clone were started.
    pub(crate) fn with_a_control_plane() -> Self {
        Self::new("a control plane", |ground| {
            let folder = ground.root().join("bin/k8s").join(version_folder());
            fs::create_dir_all(&folder).unwrap();
            for name in [
                "etcd",
                "kube-apiserver",
                "kube-controller-manager",
                "kubectl",
            ] {
                let path = folder.join(name);
                let executed = ground.victim("executed");
                fs::write(
                    &path,
                    format!("#!/bin/sh\ntouch '{}'\n", executed.display()),
                )
                .unwrap();
                fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
            }
        })
    }

    /// What envtest keeps in its folder, as links to files and folders of others.
    pub(crate) fn with_links_in_bin_k8s() -> Vec<Self> {
        let version = version_folder();
        let links = [
            ("in-use", "victim"),
            (".lock", "victim"),
            (".lock", "new"),
            (".download-0.part", "victim"),
            (".staged-0", "folder"),
            (version.as_str(), "folder"),
        ];
        let clones = links.map(|(name, victim)| {
            let name = format!("bin/k8s/{name}");
            Self::new(format!("a link from {name} to {victim}"), move |ground| {
                link(&ground.victim(victim), &ground.root().join(&name));
            })
        });
        clones.into()
    }

    /// L3: what a terminal acts on, in PROJECT, in sources and in names.
    pub(crate) fn with_terminal_escapes() -> Vec<Self> {
        const TITLE: &str = "\u{1b}]0;owned\u{7}\u{9b}2J";
        let appended = |file: &'static str, text: &'static str| {
            let name = format!("terminal escapes in {file}");
            Self::new(name, move |ground| {
                let path = ground.root().join(file);
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
            Self::new("terminal escapes in names", |ground| {
                for folder in [
                    "config/crd/bases",
                    "config/samples",
                    "target/kb-rs/calls/demo",
                ] {
                    let folder = ground.root().join(folder);
                    fs::create_dir_all(&folder).unwrap();
                    fs::write(folder.join(format!("{TITLE}.yaml")), TITLE).unwrap();
                }
            }),
            Self::new("terminal escapes in the journal", |ground| {
                let journal = format!(r#"{{"folders":["{TITLE}"],"files":[]}}"#);
                fs::write(ground.root().join(JOURNAL), journal).unwrap();
            }),
        ]
    }
}

fn link(target: &Path, at: &Path) {
    fs::create_dir_all(at.parent().unwrap()).unwrap();
    symlink(target, at).unwrap();
}

/// FNV-1a, as journals have it.
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// The folder of a version for this machine, as envtest names it.
fn version_folder() -> String {
    format!(
        "v1.36.2-{}",
        Platform::current().to_string().replace('/', "-")
    )
}
