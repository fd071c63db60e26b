//! Where images and actions come from: a version of each is named, actions by commit, and the image runs as a user that is not root.

use std::collections::BTreeMap;

use crate::files::documents;

/// Tags that are another image tomorrow. `nonroot` is not among them: distroless has the release of Debian in its name.
const MOVING: [&str; 4] = ["edge", "latest", "main", "stable"];

/// What is wrong with the name of an image.
fn of_image(image: &str) -> Option<String> {
    let name = image.rsplit_once('/').map_or(image, |(_, name)| name);
    if name.contains("@sha256:") {
        return None;
    }
    match name.split_once(':') {
        None => Some(format!("{image} has no tag")),
        Some((_, tag)) if tag.is_empty() || MOVING.contains(&tag) => {
            Some(format!("{image} is another image tomorrow"))
        }
        Some(_) => None,
    }
}

/// The user that the image runs as.
pub(crate) fn user_of_dockerfile(text: &str) -> Option<&str> {
    let mut users = text.lines().filter_map(|line| line.strip_prefix("USER "));
    users.next_back()
}

pub(crate) fn of_dockerfile(text: &str) -> Vec<String> {
    let mut defaults = BTreeMap::new();
    let mut stages = Vec::new();
    let mut problems = Vec::new();
    let mut user = None;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["ARG", argument] => {
                defaults.extend(argument.split_once('='));
            }
            ["FROM", image, name @ ..] => {
                let image = defaults
                    .iter()
                    .fold((*image).to_owned(), |image, (name, value)| {
                        image.replace(&format!("${{{name}}}"), value)
                    });
                if !stages.contains(&image) {
                    problems.extend(of_image(&image));
                }
                stages.extend(name.get(1).map(|name| (*name).to_owned()));
                user = None;
            }
            ["USER", name] => user = Some((*name).to_owned()),
            // Only BuildKit knows these.
            ["#", syntax, ..] if syntax.starts_with("syntax=") => problems.push(line.to_owned()),
            ["RUN" | "COPY", flag, ..] if flag.starts_with("--mount") || *flag == "--link" => {
                problems.push(line.to_owned());
            }
            ["RUN" | "COPY", ..] if line.contains("<<") => problems.push(line.to_owned()),
            _ => {}
        }
    }
    let is_number = |user: &String| {
        user.split(':')
            .all(|id| id.parse::<u32>().is_ok_and(|id| id > 0))
    };
    if !user.as_ref().is_some_and(is_number) {
        problems.push(format!("the image runs as {user:?}"));
    }
    problems
}

pub(crate) fn of_workflow(text: &str) -> Vec<String> {
    let mut problems = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches("- ");
        if let Some(action) = line.strip_prefix("uses: ")
            && !is_pinned(action)
        {
            problems.push(format!("{action} is not pinned as NAME@COMMIT # vX.Y.Z"));
        }
        if let Some(machine) = line.strip_prefix("runs-on: ")
            && machine.ends_with("-latest")
        {
            problems.push(format!("{machine} is another machine tomorrow"));
        }
    }
    if !text.contains("permissions:\n  contents: read\n") {
        problems.push("its token may do more than read".to_owned());
    }
    problems
}

/// Whether an action is named by a commit, and the comment names its full version: a tag can be moved.
fn is_pinned(action: &str) -> bool {
    let Some((commit, version)) = action
        .split_once('@')
        .and_then(|(_, pin)| pin.split_once(" # v"))
    else {
        return false;
    };
    let is_number = |part: &str| part.parse::<u32>().is_ok();
    commit.len() == 40
        && commit.chars().all(|digit| digit.is_ascii_hexdigit())
        && version.split('.').count() == 3
        && version.split('.').all(is_number)
}

/// The image that stands for `controller` in the Deployment.
pub(crate) fn of_kustomization(text: &str) -> Vec<String> {
    let kustomization = documents(text).remove(0);
    let image = &kustomization["images"][0];
    if image["name"] != "controller" {
        return vec!["nothing stands for the image `controller`".to_owned()];
    }
    let part = |name: &str| image[name].as_str().unwrap_or_default().to_owned();
    let image = format!("{}:{}", part("newName"), part("newTag"));
    of_image(&image).into_iter().collect()
}

#[test]
fn images_without_a_version_are_found() {
    for wrong in [
        "busybox",
        "busybox:",
        "busybox:latest",
        "localhost:5000/busybox",
        "gcr.io/x/y:latest",
    ] {
        assert!(of_image(wrong).is_some(), "{wrong}");
    }
    for right in [
        "busybox:1.37",
        "localhost:5000/busybox:1.37",
        "gcr.io/x/y@sha256:0123",
    ] {
        assert_eq!(of_image(right), None);
    }
}

#[test]
fn what_is_wrong_with_a_dockerfile_is_found() {
    let right = "ARG V=1\nFROM a:${V} AS build\nFROM build\nUSER 65532:65532\n";
    assert_eq!(of_dockerfile(right), Vec::<String>::new());
    for (from, to) in [
        ("ARG V=1", "ARG V=latest"),
        ("a:${V}", "a"),
        ("USER 65532:65532", "USER nonroot"),
        ("USER 65532:65532", "USER 0:65532"),
        ("USER 65532:65532", ""),
        (
            "FROM build",
            "FROM build\nRUN --mount=type=cache,target=/x true",
        ),
        ("FROM build", "FROM build\nCOPY <<EOF /x"),
        ("ARG V=1", "# syntax=docker/dockerfile:1\nARG V=1"),
        // A user of an earlier stage is not that of the image.
        (
            "FROM build\nUSER 65532:65532",
            "USER 65532:65532\nFROM build",
        ),
    ] {
        let wrong = right.replace(from, to);
        assert_eq!(of_dockerfile(&wrong).len(), 1, "{wrong}");
    }
}

#[test]
fn what_is_wrong_with_a_workflow_is_found() {
    let right = "permissions:\n  contents: read\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n    - uses: a/b@0123456789012345678901234567890123456789 # v1.2.3\n";
    assert_eq!(of_workflow(right), Vec::<String>::new());
    for (from, to) in [
        ("@0123456789012345678901234567890123456789 # v1.2.3", ""),
        (
            "@0123456789012345678901234567890123456789 # v1.2.3",
            "@main",
        ),
        ("@0123456789012345678901234567890123456789", "@v1.2.3"),
        (" # v1.2.3", ""),
        (" # v1.2.3", " # v1"),
        ("ubuntu-24.04", "ubuntu-latest"),
        ("contents: read", "contents: write"),
    ] {
        let wrong = right.replace(from, to);
        assert_eq!(of_workflow(&wrong).len(), 1, "{wrong}");
    }
}
