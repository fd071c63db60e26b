//! Images and actions are pinned, actions by commit, and the image does not run as root.

use std::collections::BTreeMap;

use crate::files::documents;

/// Floating tags. `nonroot` is not one: the name of a distroless image contains the Debian release.
const FLOATING: [&str; 4] = ["edge", "latest", "main", "stable"];

/// Returns the problem with the name of an image.
fn of_image(image: &str) -> Option<String> {
    let name = image.rsplit_once('/').map_or(image, |(_, name)| name);
    if name.contains("@sha256:") {
        return None;
    }
    match name.split_once(':') {
        None => Some(format!("{image} has no tag")),
        Some((_, tag)) if tag.is_empty() || FLOATING.contains(&tag) => {
            Some(format!("{image} has a floating tag"))
        }
        Some(_) => None,
    }
}

/// Returns the user of the image.
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
            // Extensions of BuildKit.
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
            problems.push(format!("{machine} is a floating label"));
        }
    }
    if !text.contains("permissions:\n  contents: read\n") {
        problems.push("its token has more permissions than read".to_owned());
    }
    problems
}

/// Returns whether an action is pinned by a commit with a comment of its full version. Tags can be moved.
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

/// Checks the image that replaces `controller` in the Deployment.
pub(crate) fn of_kustomization(text: &str) -> Vec<String> {
    let kustomization = documents(text).remove(0);
    let image = &kustomization["images"][0];
    if image["name"] != "controller" {
        return vec!["the image `controller` is not replaced".to_owned()];
    }
    let part = |name: &str| image[name].as_str().unwrap_or_default().to_owned();
    let image = format!("{}:{}", part("newName"), part("newTag"));
    of_image(&image).into_iter().collect()
}

#[test]
fn images_without_a_version_are_reported() {
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
fn problems_of_a_dockerfile_are_reported() {
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
        // The user of an earlier stage does not count.
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
fn problems_of_a_workflow_are_reported() {
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
