//! The container image that the controller of a kind deploys.

use std::{fmt, num::NonZeroU16, str::FromStr};

use crate::problem::{IntoProblems, Problem};

/// A container image and the settings of its container, as passed to `create api --image`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Default image of the kind.
    pub reference: ImageReference,
    /// Default port of the container and of the Service.
    pub container_port: Option<ContainerPort>,
    /// Command that replaces the entry point of the image.
    pub container_command: Option<ContainerCommand>,
    /// UID of the processes.
    pub run_as_user: Option<UserId>,
}

/// An image reference: `registry.example.com/app:1.2`, with a tag, a digest or neither.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageReference(String);

/// A port from 1 to 65535.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContainerPort(NonZeroU16);

/// A command and its arguments: at least one word, without empty words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerCommand(Vec<String>);

/// The UID of a non-root user, within the bounds of Kubernetes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserId(u32);

/// An invalid value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageError {
    message: String,
    help: &'static str,
}

impl ImageError {
    fn new(message: String, help: &'static str) -> Self {
        Self { message, help }
    }
}

impl IntoProblems for ImageError {
    fn into_problems(self) -> Vec<Problem> {
        vec![Problem::new(self.message, self.help)]
    }
}

impl ContainerPort {
    /// Returns the number.
    pub fn get(self) -> u16 {
        self.0.get()
    }
}

impl ContainerCommand {
    /// Returns the command and its arguments.
    pub fn words(&self) -> &[String] {
        &self.0
    }
}

impl UserId {
    /// Returns the number.
    pub fn get(self) -> u32 {
        self.0
    }
}

impl fmt::Display for ImageReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for ContainerCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl FromStr for ImageReference {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |problem: String| {
            ImageError::new(
                format!("image {text:?} {problem}"),
                "use an image reference such as `registry.example.com/app:1.2`",
            )
        };
        // `[` starts the IPv6 address of a registry.
        let is_start = |first: char| first.is_ascii_alphanumeric() || first == '[';
        let is_valid = |any: char| any.is_ascii_alphanumeric() || "._-/:@+[]".contains(any);
        if text.is_empty() {
            return Err(error("is empty".to_owned()));
        }
        if let Some(invalid) = text.chars().find(|any| !is_valid(*any)) {
            return Err(error(format!("contains the character {invalid:?}")));
        }
        if !text.starts_with(is_start) {
            return Err(error("does not start with a letter or digit".to_owned()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl FromStr for ContainerPort {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let port = text.parse().map(Self);
        port.map_err(|_| {
            let message = format!("container port {text:?} is not a number from 1 to 65535");
            ImageError::new(message, "use the port on which the container listens")
        })
    }
}

impl FromStr for ContainerCommand {
    type Err = ImageError;

    /// Parses words separated by commas.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |problem: &str| {
            ImageError::new(
                format!("container command {text:?} {problem}"),
                "separate the command and its arguments by commas: `CMD,ARG`",
            )
        };
        if text.contains(char::is_control) {
            return Err(error("contains a control character"));
        }
        let words: Vec<String> = text.split(',').map(ToOwned::to_owned).collect();
        if words.iter().any(String::is_empty) {
            return Err(error("contains an empty word"));
        }
        Ok(Self(words))
    }
}

impl FromStr for UserId {
    type Err = ImageError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        /// Largest UID that the API server accepts.
        const MAX: u32 = i32::MAX.cast_unsigned();
        let user = text.parse().ok().filter(|user| (1..=MAX).contains(user));
        user.map(Self).ok_or_else(|| {
            let message = format!("user ID {text:?} is not a number from 1 to {MAX}");
            ImageError::new(message, "use the UID of a non-root user of the image")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_valid<T: FromStr>(text: &str) -> bool {
        text.parse::<T>().is_ok()
    }

    #[test]
    fn accepts_image_references() {
        for valid in [
            "nginx",
            "nginxinc/nginx-unprivileged:1.27",
            "registry.example.com:5000/a/b_c:v1",
            "[::1]:5000/a@sha256:0123456789abcdef",
        ] {
            assert!(is_valid::<ImageReference>(valid), "{valid}");
        }
        for invalid in [
            "",
            " ",
            "a b",
            "a\"b",
            "a'b",
            "a\\b",
            "a\nb",
            "-a",
            "a#b",
            "a{b}",
            "ä",
            "a\u{202e}b",
        ] {
            assert!(!is_valid::<ImageReference>(invalid), "{invalid:?}");
        }
    }

    #[test]
    fn accepts_ports_and_non_root_users() {
        for (text, is_port, is_user) in [
            ("1", true, true),
            ("65535", true, true),
            ("65536", false, true),
            ("2147483647", false, true),
            ("2147483648", false, false),
            ("0", false, false),
            ("-1", false, false),
            ("http", false, false),
            ("", false, false),
        ] {
            assert_eq!(is_valid::<ContainerPort>(text), is_port, "{text}");
            assert_eq!(is_valid::<UserId>(text), is_user, "{text}");
        }
    }

    #[test]
    fn splits_commands_at_commas() {
        let command: ContainerCommand = "memcached,--memory-limit=64,-o modern".parse().unwrap();
        assert_eq!(
            command.words(),
            ["memcached", "--memory-limit=64", "-o modern"]
        );
        assert_eq!(command.to_string(), "memcached,--memory-limit=64,-o modern");
        for invalid in ["", "a,", ",a", "a,,b", "a\n,b", "a\u{1b}"] {
            assert!(!is_valid::<ContainerCommand>(invalid), "{invalid:?}");
        }
    }
}
