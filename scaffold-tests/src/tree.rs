//! Trees of files as values.

use std::{collections::BTreeMap, fmt::Write as _, fs, path::Path};

use anyhow::{Context, Result};
use similar::TextDiff;

/// Files by their path below the root, with `/`. Empty directories are entries that end in `/`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tree {
    files: BTreeMap<String, String>,
}

impl Tree {
    /// Reads all files below `root`; none if it does not exist.
    pub fn read(root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        if root.is_dir() {
            tree.collect(root, "")?;
        }
        Ok(tree)
    }

    fn collect(&mut self, dir: &Path, prefix: &str) -> Result<()> {
        let entries = fs::read_dir(dir).with_context(|| dir.display().to_string())?;
        let mut is_empty = true;
        for entry in entries {
            is_empty = false;
            let entry = entry?;
            let name = entry.file_name().into_string().expect("UTF-8");
            let path = format!("{prefix}{name}");
            if entry.file_type()?.is_symlink() {
                let target = fs::read_link(entry.path())?;
                self.files.insert(path, format!("-> {}", target.display()));
            } else if entry.file_type()?.is_dir() {
                self.collect(&entry.path(), &format!("{path}/"))?;
            } else {
                let text = fs::read_to_string(entry.path()).with_context(|| path.clone())?;
                self.files.insert(path, text);
            }
        }
        if is_empty && !prefix.is_empty() {
            self.files.insert(prefix.to_owned(), String::new());
        }
        Ok(())
    }

    /// Returns the files and their texts, sorted by path.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .map(|(path, text)| (path.as_str(), text.as_str()))
    }

    /// Returns the text of a file.
    pub fn get(&self, path: &str) -> Option<&str> {
        self.files.get(path).map(String::as_str)
    }

    /// Replaces the content of `root`. Unchanged files are not touched, so that cargo builds only changes.
    pub fn write(&self, root: &Path) -> Result<()> {
        let present = Self::read(root)?;
        for path in present
            .files
            .keys()
            .filter(|path| !self.files.contains_key(*path))
        {
            let path = root.join(path.trim_end_matches('/'));
            if path.is_dir() {
                fs::remove_dir(&path)?;
            } else {
                fs::remove_file(&path)?;
            }
        }
        for (path, text) in &self.files {
            if present.files.get(path) != Some(text) {
                let path = root.join(path);
                fs::create_dir_all(path.parent().expect("a file has a parent"))?;
                fs::write(&path, text).with_context(|| path.display().to_string())?;
            }
        }
        Ok(())
    }

    /// Returns a diff from this tree to `other`; none if they are equal.
    pub fn difference(&self, other: &Self) -> Option<String> {
        let mut text = String::new();
        for path in self
            .files
            .keys()
            .filter(|path| !other.files.contains_key(*path))
        {
            let _ = writeln!(text, "missing: {path}");
        }
        for (path, found) in &other.files {
            match self.files.get(path) {
                None => {
                    let _ = writeln!(text, "extra: {path}");
                }
                Some(expected) if expected != found => {
                    let diff = TextDiff::from_lines(expected.as_str(), found.as_str());
                    let _ = write!(text, "{}", diff.unified_diff().header(path, path));
                }
                Some(_) => {}
            }
        }
        (!text.is_empty()).then_some(text)
    }
}

impl FromIterator<(String, String)> for Tree {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(files: I) -> Self {
        Self {
            files: files.into_iter().collect(),
        }
    }
}
