//! Command-line flags of the manager, compatible with Kubebuilder's.
//!
//! Flatten [`Flags`] into the `clap::Parser` of the operator. All flags but `--kubeconfig` also have an environment variable.
//!
//! ```
//! use clap::Parser;
//!
//! #[derive(Parser)]
//! struct Cli {
//!     #[command(flatten)]
//!     flags: kb::flags::Flags,
//! }
//!
//! let cli = Cli::parse_from(["shop-operator", "--leader-elect", "--metrics-bind-address=:8443"]);
//! assert!(cli.flags.leader_elect && cli.flags.metrics_secure);
//! ```

mod bind_address;
mod manager;

pub use bind_address::{BindAddress, BindAddressError};
pub use manager::Flags;
