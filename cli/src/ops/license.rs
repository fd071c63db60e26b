//! Licenses: the SPDX identifier in Cargo.toml, the LICENSE file and the header of source files.

use clap::ValueEnum;

use crate::problem::Problem;

/// The file with the header of source files.
pub(crate) const BOILERPLATE: &str = "hack/boilerplate.rs.txt";

/// The file with the license text.
pub(crate) const LICENSE: &str = "LICENSE";

/// The licenses that `--license` accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum License {
    /// Apache License 2.0
    Apache2,
    /// MIT License
    Mit,
    /// No license and no header
    None,
}

impl License {
    /// Returns the SPDX identifier.
    pub(crate) fn spdx(self) -> Option<&'static str> {
        match self {
            Self::Apache2 => Some("Apache-2.0"),
            Self::Mit => Some("MIT"),
            Self::None => None,
        }
    }

    /// Returns the license with this SPDX identifier, or `None`.
    pub(crate) fn of_spdx(spdx: Option<&str>) -> Self {
        [Self::Apache2, Self::Mit]
            .into_iter()
            .find(|license| license.spdx() == spdx)
            .unwrap_or(Self::None)
    }

    /// Returns the template of the license text.
    pub(crate) fn template(self) -> Option<&'static str> {
        match self {
            Self::Apache2 => Some("licenses/apache2.txt"),
            Self::Mit => Some("licenses/mit.txt"),
            Self::None => None,
        }
    }
}

/// The comment at the top of every Rust file; may be empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Header(String);

impl Header {
    /// Returns the standard header of a license.
    pub(crate) fn of(license: License, owner: Option<&str>) -> Self {
        let Some(spdx) = license.spdx() else {
            return Self::default();
        };
        let copyright = owner
            .map(|owner| format!("// Copyright {owner}\n"))
            .unwrap_or_default();
        Self(format!("{copyright}// SPDX-License-Identifier: {spdx}\n"))
    }

    /// Parses a header file, which must contain nothing but Rust comments.
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
                format!("license header {name} is not a Rust comment"),
                "start each line with `//`, or enclose the text in `/*` and `*/`",
            ));
        }
        if trimmed.is_empty() {
            return Ok(Self::default());
        }
        Ok(Self(format!("{}\n", trimmed.replace("\r\n", "\n"))))
    }

    /// Returns the copyright holder of a standard header.
    pub(crate) fn owner(&self) -> Option<&str> {
        self.0.lines().next()?.strip_prefix("// Copyright ")
    }

    /// Returns the text of the header file, if the header is not empty.
    pub(crate) fn file(&self) -> Option<&str> {
        (!self.0.is_empty()).then_some(self.0.as_str())
    }

    /// Returns the text to prepend to a source file.
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
    fn accepts_only_comments_that_are_not_documentation() {
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
    fn standard_header_names_owner_and_license() {
        let header = Header::of(License::Mit, Some("ACME"));
        assert_eq!(
            header.prefix(),
            "// Copyright ACME\n// SPDX-License-Identifier: MIT\n\n"
        );
        assert_eq!(header.owner(), Some("ACME"));
        assert_eq!(Header::of(License::None, Some("ACME")).prefix(), "");
    }
}
