//! A PROJECT text together with its record, and the rewrite of one to match another record.
//!
//! A rewrite is never trusted: its result is read again, and must give the wanted record and every unknown field.
//! If it does not, the user gets the YAML to put there by hand, and the file stays as it is.

use std::{borrow::Cow, fmt::Write as _};

use super::{
    document::Document,
    edit::{self, Stuck},
    error::{Problem, ProjectError},
    field::{self, Field},
    patch::{self, Page},
    read,
    record::Project,
    unknown,
};

/// More changes than any real rewrite needs: an edit that goes nowhere stops here.
const MOST_CHANGES: usize = 10_000;

/// The text of a PROJECT file, and what it says.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    text: String,
    project: Project,
}

impl ProjectFile {
    /// Reads a PROJECT; the error holds all that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, ProjectError> {
        let project = read::project(&Document::parse(text)?)?;
        let text = text.to_owned();
        Ok(Self { text, project })
    }

    /// The text as an edit sees it.
    fn document(&self) -> Option<Document> {
        Document::parse_with_comments(&self.text).ok()
    }

    /// What the file says.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// The text changed so that it says what is wanted; all other bytes stay.
    ///
    /// A resource that is not wanted goes with the comments directly above it, and a named controller likewise.
    pub fn rewrite(&self, wanted: &Project) -> Result<String, ProjectError> {
        if *wanted == self.project {
            return Ok(self.text.clone());
        }
        // Nobody but kb-rs has written here: there is nothing to keep, and no need to edit.
        if self.text == self.project.render() {
            return Ok(wanted.render());
        }
        let rewritten = self
            .rewritten(wanted)
            .map_err(|stuck| self.by_hand(stuck.as_ref(), wanted))?;
        if self.is_faithful(&rewritten, wanted) {
            Ok(rewritten.text)
        } else {
            Err(self.by_hand(None, wanted))
        }
    }

    /// The changed text, read again. Changes go by whole lines, so one without an end gets it for the time being.
    fn rewritten(&self, wanted: &Project) -> Result<Self, Option<Stuck>> {
        if self.text.ends_with('\n') {
            return change(Cow::Borrowed(self), wanted);
        }
        let end = if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        };
        let closed = Self::parse(&format!("{}{end}", self.text)).map_err(|_| None)?;
        let changed = change(Cow::Owned(closed), wanted)?.text;
        Self::parse(changed.strip_suffix(end).unwrap_or(&changed)).map_err(|_| None)
    }

    /// Whether `new` says what is wanted, and still has every field that kb-rs does not know.
    fn is_faithful(&self, new: &Self, wanted: &Project) -> bool {
        let root = |file: &Self| file.document()?.root;
        let (Some(old_root), Some(new_root)) = (root(self), root(new)) else {
            return false;
        };
        new.project == *wanted
            && unknown::fields(&old_root, &self.project, wanted)
                == unknown::fields(&new_root, &new.project, wanted)
    }

    fn by_hand(&self, stuck: Option<&Stuck>, wanted: &Project) -> ProjectError {
        let yaml = differences(&self.project, wanted);
        let problem = Problem::new("PROJECT is written in a form that kb-rs cannot edit").help(
            format!("make it say this by hand, or write that part in block style:\n\n{yaml}"),
        );
        match stuck {
            Some(stuck) => problem.at(stuck.line, stuck.column).into(),
            None => problem.into(),
        }
    }
}

/// Mends one difference after the other. Where that fails, the place is one in the text at the start.
fn change(start: Cow<'_, ProjectFile>, wanted: &Project) -> Result<ProjectFile, Option<Stuck>> {
    let after = field::of_project(wanted);
    let mut origins: Vec<usize> = (1..=start.text.lines().count()).collect();
    let mut current = start;
    for _ in 0..MOST_CHANGES {
        if current.project == *wanted {
            return Ok(current.into_owned());
        }
        let before = field::of_project(&current.project);
        let document = current.document().ok_or(None)?;
        let page = Page::new(&current.text, &document);
        let splices = edit::next(&page, &before, &after).map_err(|stuck| {
            let line = origins.get(stuck.line - 1).copied();
            line.map(|line| Stuck { line, ..stuck })
        })?;
        // Fields that are spelt differently, and yet say the same.
        let Some(splices) = splices else {
            return Ok(current.into_owned());
        };
        let changed = patch::apply(&current.text, splices);
        origins = follow(&origins, &current.text, &changed);
        current = Cow::Owned(ProjectFile::parse(&changed).map_err(|_| None)?);
    }
    Err(None)
}

/// For each line of a changed text the line it comes from; a new one has that of the line it stands before.
fn follow(origins: &[usize], old: &str, new: &str) -> Vec<usize> {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let head = old.iter().zip(&new).take_while(same).count();
    let rest = old[head..].iter().rev().zip(new[head..].iter().rev());
    let tail = rest.take_while(same).count();
    let place = origins.get(head).or(origins.last()).copied().unwrap_or(1);
    let middle = std::iter::repeat_n(place, new.len() - head - tail);
    let (first, last) = (&origins[..head], &origins[old.len() - tail..]);
    first
        .iter()
        .copied()
        .chain(middle)
        .chain(last.iter().copied())
        .collect()
}

/// The fields that are wanted and not there, as YAML; what must go, as comments.
fn differences(present: &Project, wanted: &Project) -> String {
    let (before, after) = (field::of_project(present), field::of_project(wanted));
    let mut yaml = String::new();
    for (key, _) in &before {
        if field::get(&after, key).is_none() {
            let _ = writeln!(yaml, "# remove `{key}`");
        }
    }
    for (key, field) in after {
        let there = field::get(&before, key);
        if there == Some(&field) {
            continue;
        }
        let field = match (there, field) {
            (Some(Field::List(old)), Field::List(new)) => {
                for gone in old
                    .iter()
                    .filter(|old| !new.iter().any(|new| new.identity() == old.identity()))
                {
                    let _ = writeln!(
                        yaml,
                        "# remove from `{key}`: {}",
                        gone.identity().join(" ").trim()
                    );
                }
                Field::List(new.into_iter().filter(|item| !old.contains(item)).collect())
            }
            (_, field) => field,
        };
        if field != Field::List(Vec::new()) {
            yaml.push_str(&field::lines(&[(key, field)], 0, 0));
        }
    }
    yaml
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "layout:\n- rust.kb-rs.dev/v1\nprojectName: shop\n";
    const END: &str = "version: \"3\"\n";

    /// Rewrites `before`, a piece of a PROJECT, by a change of the record; the piece must become `after`.
    fn check(before: &str, change: impl Fn(&mut Project), after: &str) {
        let text = format!("{START}{before}{END}");
        let file = ProjectFile::parse(&text).unwrap();
        let mut wanted = file.project().clone();
        change(&mut wanted);
        assert_eq!(
            file.rewrite(&wanted).unwrap(),
            format!("{START}{after}{END}")
        );
        let windows = ProjectFile::parse(&text.replace('\n', "\r\n")).unwrap();
        let expected = format!("{START}{after}{END}").replace('\n', "\r\n");
        assert_eq!(windows.rewrite(&wanted).unwrap(), expected);
        let open = ProjectFile::parse(text.trim_end()).unwrap();
        let expected = format!("{START}{after}{END}").trim_end().to_owned();
        assert_eq!(open.rewrite(&wanted).unwrap(), expected);
    }

    /// The line and the help of a rewrite that cannot be done.
    fn refused(before: &str, change: impl Fn(&mut Project)) -> (Option<usize>, String) {
        let file = ProjectFile::parse(&format!("{START}{before}{END}")).unwrap();
        let mut wanted = file.project().clone();
        change(&mut wanted);
        let error = file.rewrite(&wanted).unwrap_err();
        let problem = &error.problems()[0];
        assert!(problem.message().contains("cannot edit"), "{error}");
        (problem.line(), problem.help_text().unwrap().to_owned())
    }

    fn resource(kind: &str) -> crate::project::Resource {
        let text = format!("{START}resources:\n- kind: {kind}\n  version: v1\n{END}");
        let file = ProjectFile::parse(&text).unwrap();
        file.project().resources[0].clone()
    }

    #[test]
    fn a_value_is_replaced_and_its_comment_stays() {
        check(
            "repo: 'old'  # why\n",
            |wanted| wanted.repo = Some("new".to_owned()),
            "repo: new  # why\n",
        );
        check(
            "repo: # why\n",
            |wanted| wanted.repo = Some("new".to_owned()),
            "repo: new # why\n",
        );
    }

    #[test]
    fn a_flag_with_a_comment_becomes_false() {
        let off = |wanted: &mut Project| wanted.resources[0].controller = false;
        let head = "resources:\n- kind: A\n  version: v1\n";
        let with = format!("{head}  controller: true # soon\n");
        check(&with, off, &format!("{head}  controller: false # soon\n"));
        check(&format!("{head}  controller: true\n"), off, head);
    }

    #[test]
    fn a_first_resource_is_added_at_the_place_of_the_key() {
        let add = |wanted: &mut Project| wanted.resources.push(resource("A"));
        let item = "- kind: A\n  version: v1\n";
        check("# note\n", add, &format!("resources:\n{item}# note\n"));
        check(
            "resources: [] # none\n",
            add,
            &format!("resources: # none\n{item}"),
        );
    }

    #[test]
    fn a_resource_is_appended_in_the_indentation_of_the_file() {
        check(
            "resources:\n  # A\n  - kind: A\n    version: v1\n\n# end\n",
            |wanted| wanted.resources.push(resource("B")),
            "resources:\n  # A\n  - kind: A\n    version: v1\n  - kind: B\n    version: v1\n\n# end\n",
        );
    }

    #[test]
    fn a_resource_can_be_put_first_or_replace_the_only_one() {
        let (a, b) = ("- kind: A\n  version: v1\n", "- kind: B\n  version: v1\n");
        check(
            &format!("resources:\n{a}"),
            |wanted| wanted.resources.insert(0, resource("B")),
            &format!("resources:\n{b}{a}"),
        );
        check(
            &format!("resources: # all\n{a}# end\n"),
            |wanted| wanted.resources = vec![resource("B")],
            &format!("resources: # all\n{b}# end\n"),
        );
    }

    #[test]
    fn a_resource_goes_with_the_comments_directly_above() {
        check(
            "resources:\n- kind: A\n  version: v1\n  # of A\n# of B\n- kind: B\n  version: v1\n# end\n",
            |wanted| drop(wanted.resources.pop()),
            "resources:\n- kind: A\n  version: v1\n  # of A\n# end\n",
        );
        check(
            "resources:\n# of A\n- kind: A\n  version: v1\n- kind: B\n  version: v1\n",
            |wanted| drop(wanted.resources.remove(0)),
            "resources:\n- kind: B\n  version: v1\n",
        );
    }

    #[test]
    fn the_last_resource_takes_the_key_along_unless_comments_stay() {
        let clear = |wanted: &mut Project| wanted.resources.clear();
        check("resources:\n- kind: A\n  version: v1\n", clear, "");
        check(
            "resources: # all\n- kind: A\n  version: v1\n",
            clear,
            "resources: [] # all\n",
        );
    }

    #[test]
    fn the_key_beside_the_dash_can_be_removed_and_preceded() {
        let head = "resources:\n- ";
        let tail = "kind: A\n  version: v1\n";
        let api = "api:\n    crdVersion: v1\n  ";
        let on = |wanted: &mut Project| {
            wanted.resources[0].api = Some(crate::project::Api {
                crd_version: "v1".to_owned(),
                namespaced: false,
            });
        };
        let off = |wanted: &mut Project| wanted.resources[0].api = None;
        check(&format!("{head}{tail}"), on, &format!("{head}{api}{tail}"));
        check(&format!("{head}{api}{tail}"), off, &format!("{head}{tail}"));
    }

    #[test]
    fn unknown_fields_stay_when_what_is_known_around_them_goes() {
        check(
            "plugins:\n  rust.kb-rs.dev/v1:\n    kbSource: x\n    own: 1\n",
            |wanted| wanted.kb_source = None,
            "plugins:\n  rust.kb-rs.dev/v1:\n    own: 1\n",
        );
        check(
            "resources:\n- api:\n    crdVersion: v1\n    ssa: true\n  kind: A\n  version: v1\n",
            |wanted| wanted.resources[0].api = None,
            "resources:\n- api:\n    ssa: true\n  kind: A\n  version: v1\n",
        );
    }

    #[test]
    fn flow_style_is_refused_with_the_yaml_to_write() {
        let flow = "resources: [{kind: A, version: v1}]\n";
        let (line, help) = refused(flow, |wanted| wanted.resources.push(resource("B")));
        assert_eq!(line, Some(4));
        assert!(
            help.ends_with("resources:\n- kind: B\n  version: v1\n"),
            "{help}"
        );
        let (line, _) = refused(flow, |wanted| {
            wanted.multigroup = true;
            wanted.resources.clear();
        });
        assert_eq!(line, Some(4), "the line before any change");
        let (line, help) = refused(flow, |wanted| wanted.resources.clear());
        assert_eq!(line, Some(4));
        assert!(help.contains("# remove `resources`"), "{help}");
    }

    #[test]
    fn anchors_are_refused() {
        let (line, _) = refused("repo: &r x\nother: *r\n", |wanted| {
            wanted.repo = Some("y".to_owned());
        });
        assert_eq!(line, Some(4));
    }
}
