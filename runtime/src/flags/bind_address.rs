//! Bind addresses in Go's syntax: `:8081` binds every interface, `0` disables the server.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// Bind address of a server.
///
/// ```
/// use kb::flags::BindAddress;
///
/// let address: BindAddress = "127.0.0.1:8080".parse()?;
/// assert_eq!(address.addresses(), ["127.0.0.1:8080".parse()?]);
/// assert_eq!("0".parse(), Ok(BindAddress::Off));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BindAddress {
    /// Disabled.
    Off,
    /// This port on every interface.
    Port(u16),
    /// This address.
    Address(SocketAddr),
}

/// Invalid bind address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid bind address {value:?}: use a port (`:8081`), an address (`127.0.0.1:8081`, `[::1]:8081`) or `0` to disable{hint}"
)]
pub struct BindAddressError {
    value: String,
    hint: String,
}

impl BindAddress {
    /// Returns the addresses to try in order until one can be bound, empty if disabled.
    ///
    /// `[::]` also accepts IPv4, but a host may lack IPv6. Pass the list to `tokio::net::TcpListener::bind`.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        match *self {
            Self::Off => Vec::new(),
            Self::Port(port) => vec![
                (Ipv6Addr::UNSPECIFIED, port).into(),
                (Ipv4Addr::UNSPECIFIED, port).into(),
            ],
            Self::Address(address) => vec![address],
        }
    }
}

impl FromStr for BindAddress {
    type Err = BindAddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "0" {
            return Ok(Self::Off);
        }
        let port = text.strip_prefix(':').and_then(|port| port.parse().ok());
        let address = || text.parse().ok().map(Self::Address);
        port.map(Self::Port).or_else(address).ok_or_else(|| {
            let hint = text
                .parse::<u16>()
                .map(|port| format!("; did you mean `:{port}`?"));
            BindAddressError {
                value: text.to_owned(),
                hint: hint.unwrap_or_default(),
            }
        })
    }
}

impl fmt::Display for BindAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Off => f.write_str("0"),
            Self::Port(port) => write!(f, ":{port}"),
            Self::Address(address) => address.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_and_displays_addresses() {
        for text in [
            "0",
            ":8081",
            ":0",
            "127.0.0.1:8080",
            "0.0.0.0:80",
            "[::1]:80",
        ] {
            assert_eq!(text.parse::<BindAddress>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_port_binds_ipv6_and_ipv4() {
        let addresses = BindAddress::Port(8081).addresses();
        assert_eq!(
            addresses
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>(),
            ["[::]:8081", "0.0.0.0:8081"]
        );
        assert!(BindAddress::Off.addresses().is_empty());
    }

    #[test]
    fn rejects_invalid_addresses() {
        for text in [
            "",
            ":",
            ":http",
            ":70000",
            "localhost:80",
            "::1:80",
            "1.2.3.4",
            "off",
            " 0",
        ] {
            let error = text.parse::<BindAddress>().unwrap_err();
            assert_eq!((error.value.as_str(), error.hint.as_str()), (text, ""));
        }
    }

    #[test]
    fn suggests_a_colon_for_a_bare_port() {
        let error = "8081".parse::<BindAddress>().unwrap_err().to_string();
        assert_eq!(
            error,
            "invalid bind address \"8081\": use a port (`:8081`), an address (`127.0.0.1:8081`, `[::1]:8081`) or `0` to disable; \
             did you mean `:8081`?"
        );
    }
}
