//! A PROJECT file: its text and its configuration.

use super::{ProjectError, config::Project, read, write};

/// The text of a PROJECT file and the configuration read from it.
#[derive(Debug, Clone)]
pub struct ProjectFile {
    text: String,
    project: Project,
}

impl ProjectFile {
    /// Parses a PROJECT file; the error lists every problem.
    pub fn parse(text: &str) -> Result<Self, ProjectError> {
        Ok(Self {
            text: text.to_owned(),
            project: read::parse(text)?,
        })
    }

    /// Returns the configuration.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Returns the text of the file with another configuration.
    ///
    /// Keeps the header comment and the line endings, and the whole text if the configuration is the same.
    pub fn rewrite(&self, project: &Project) -> String {
        if *project == self.project {
            return self.text.clone();
        }
        let is_header = |line: &&str| line.trim().is_empty() || line.starts_with('#');
        let header = self.text.split_inclusive('\n').take_while(is_header);
        let text = format!("{}{}", header.collect::<String>(), write::fields(project));
        if self.text.contains("\r\n") {
            text.replace("\r\n", "\n").replace('\n', "\r\n")
        } else {
            text
        }
    }
}
