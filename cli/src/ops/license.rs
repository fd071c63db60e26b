//! Licences: the identifier for Cargo.toml, the text for LICENSE, and the header of source files.

use clap::ValueEnum;

use crate::problem::Problem;

/// Where a project keeps the header of its source files.
pub(crate) const BOILERPLATE: &str = "hack/boilerplate.rs.txt";

/// Where a project keeps the text of its licence.
pub(crate) const LICENSE: &str = "LICENSE";

/// The licences kb-rs knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum License {
    /// Apache License 2.0
    Apache2,
    /// MIT License
    Mit,
    /// No licence, no header
    None,
}

impl License {
    /// The SPDX identifier.
    pub(crate) fn spdx(self) -> Option<&'static str> {
        match self {
            Self::Apache2 => Some("Apache-2.0"),
            Self::Mit => Some("MIT"),
            Self::None => None,
        }
    }

    /// The licence with that SPDX identifier, if kb-rs knows it.
    pub(crate) fn of_spdx(spdx: Option<&str>) -> Self {
        [Self::Apache2, Self::Mit]
            .into_iter()
            .find(|license| license.spdx() == spdx)
            .unwrap_or(Self::None)
    }

    /// The template of its text.
    pub(crate) fn template(self) -> Option<&'static str> {
        match self {
            Self::Apache2 => Some("licenses/apache2.txt"),
            Self::Mit => Some("licenses/mit.txt"),
            Self::None => None,
        }
    }
}

/// The comment at the top of every Rust file; empty for none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Header(String);

impl Header {
    /// The usual header of a licence.
    pub(crate) fn of(license: License, owner: Option<&str>) -> Self {
        let Some(spdx) = license.spdx() else {
            return Self::default();
        };
        let copyright = owner
            .map(|owner| format!("// Copyright {owner}\n"))
            .unwrap_or_default();
        Self(format!("{copyright}// SPDX-License-Identifier: {spdx}\n"))
    }

    /// The text of a header file: Rust comments and nothing else, so that it can stand at the top of any file.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, Problem> {
        let trimmed = text.trim();
        let lines_only = trimmed
            .lines()
            .all(|line| line.trim().is_empty() || is_line_comment(line));
        let one_block = trimmed.starts_with("/*")
            && !trimmed.starts_with("/**")
            && !trimmed.starts_with("/*!")
            && trimmed.find("*/") == Some(trimmed.len().saturating_sub(2));
        if !lines_only && !one_block {
            return Err(Problem::new(
                format!("the licence header in {name} is not a Rust comment"),
                "begin each line with `//`, or enclose the text in `/*` and `*/` once",
            ));
        }
        if trimmed.is_empty() {
            return Ok(Self::default());
        }
        Ok(Self(format!("{}\n", trimmed.replace("\r\n", "\n"))))
    }

    /// The copyright holder, if the header is a usual one that names one.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.0.lines().next()?.strip_prefix("// Copyright ")
    }

    /// The header file's text, if there is a header.
    pub(crate) fn file(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(self.0.as_str())
    }

    /// What stands before the first line of a source file.
    pub(crate) fn prefix(&self) -> String {
        self.file()
            .map(|header| format!("{header}\n"))
            .unwrap_or_default()
    }
}

fn is_line_comment(line: &str) -> bool {
    let line = line.trim();
    line.starts_with("//") && !line.starts_with("///") && !line.starts_with("//!")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_is_one_comment_without_documentation() {
        for good in ["", "// a\n// b\n", "/* a\n b */\n", "\n// a\n\n// b"] {
            assert!(Header::parse("h", good).is_ok(), "{good:?}");
        }
        for bad in [
            "a",
            "// a\nb",
            "/// a",
            "//! a",
            "/* a */ b",
            "/* a",
            "/** a */",
            "/* a */ /* b */",
        ] {
            assert!(Header::parse("h", bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_header_names_owner_and_licence() {
        let header = Header::of(License::Mit, Some("ACME"));
        assert_eq!(
            header.prefix(),
            "// Copyright ACME\n// SPDX-License-Identifier: MIT\n\n"
        );
        assert_eq!(header.owner(), Some("ACME"));
        assert_eq!(Header::of(License::None, Some("ACME")).prefix(), "");
    }
}
