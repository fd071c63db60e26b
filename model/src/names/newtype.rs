//! Common code of names: a validated string constructed by `FromStr`.
//!
//! The macro generates the type and its conversions. The rule is a function `check(&str) -> Result<(), NameError>` next to the type. Types define
//! their own order, because versions have a special one.

macro_rules! newtype {
    ($(#[$attribute:meta])* pub struct $name:ident) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Returns the name as a string.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::NameError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                check(text)?;
                Ok(Self(text.to_owned()))
            }
        }

        impl TryFrom<String> for $name {
            type Error = crate::NameError;

            fn try_from(text: String) -> Result<Self, Self::Error> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> Self {
                name.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }
    };
}

pub(super) use newtype;
