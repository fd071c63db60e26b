//! The command line of an operator, as Kubebuilder's manager has it, so that its manifests fit.
//!
//! [`Flags`] is to be flattened into the operator's own `clap::Parser`. Nothing is opened or started here.
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
