//! Where a server listens, as Go writes it: `:8081` is every interface, `0` is nowhere.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

/// Where a server listens, if at all.
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
    /// It does not.
    Off,
    /// On this port of every interface.
    Port(u16),
    /// On this address.
    Address(SocketAddr),
}

/// A value that is no address to listen on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{value:?} is no address to listen on: give a port as `:8081`, an address as `127.0.0.1:8081` or `[::1]:8081`, or `0` for none{hint}"
)]
pub struct BindAddressError {
    value: String,
    hint: String,
}

impl BindAddress {
    /// The addresses to try, in this order, until one can be bound; none if there is nothing to serve.
    ///
    /// `[::]` takes IPv4 too, but a host may have no IPv6. `tokio::net::TcpListener::bind` takes this list as it is.
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
                .map(|port| format!(". Did you mean `:{port}`?"));
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
    fn an_address_is_read_and_written_alike() {
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
    fn a_port_is_served_over_both_protocols_where_there_are_both() {
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
    fn anything_else_is_refused_with_what_to_write() {
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
            let error = text.parse::<BindAddress>().unwrap_err().to_string();
            assert!(
                error.starts_with(&format!("{text:?} is no address to listen on: give a port")),
                "{error}"
            );
            assert!(!error.contains("mean"), "{error}");
        }
    }

    #[test]
    fn a_bare_port_is_met_with_a_suggestion() {
        let error = "8081".parse::<BindAddress>().unwrap_err().to_string();
        assert!(
            error.ends_with("or `0` for none. Did you mean `:8081`?"),
            "{error}"
        );
    }
}
