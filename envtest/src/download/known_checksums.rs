//! Embedded checksums of the releases published before this version of kb-envtest.
//!
//! The official index is a file on a branch: anyone who can change it can replace an archive together with its checksum. This table prevents
//! that for known releases. `hack/envtest-sums` generates it from the Go module sigs.k8s.io/controller-tools, currently v0.23.0. An index
//! chosen by the user, such as a mirror with custom builds, is trusted.

/// Lines of `VERSION-OS-ARCH SHA-512`.
const CHECKSUMS: &str = include_str!("checksums.txt");

/// Returns the SHA-512 of the archive `VERSION-OS-ARCH`, if known.
pub(super) fn get(stem: &str) -> Option<&'static str> {
    let mut lines = CHECKSUMS.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == stem).map(|(_, sum)| sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Platform, Version};

    #[test]
    fn the_table_is_well_formed() {
        assert!(CHECKSUMS.lines().count() > 100);
        for line in CHECKSUMS.lines() {
            let (stem, sum) = line.split_once(' ').unwrap();
            let (version, _) = Platform::split(stem).unwrap();
            version.parse::<Version>().unwrap();
            assert!(sum.len() == 128 && sum.bytes().all(|digit| digit.is_ascii_hexdigit()));
            assert_eq!(get(stem), Some(sum), "duplicate {stem}");
        }
        assert_eq!(get("v1.36.2-plan9-mips"), None);
    }
}
