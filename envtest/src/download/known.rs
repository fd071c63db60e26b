//! The sums of the releases that were published before this version of kb-envtest.
//!
//! The published index is a file on a branch: whoever can change it can change an archive and its sum together. Of these releases it
//! cannot. `hack/envtest-sums` rewrites the table from the Go module sigs.k8s.io/controller-tools, now of v0.23.0. An index that the
//! user names, such as a mirror with builds of its own, is trusted as it is.

/// `VERSION-OS-ARCH SHA-512`, a line each.
const SUMS: &str = include_str!("sums.txt");

/// The SHA-512 of the archive `VERSION-OS-ARCH`, if it is known.
pub(super) fn sum(stem: &str) -> Option<&'static str> {
    let mut lines = SUMS.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == stem).map(|(_, sum)| sum)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Platform, Version};

    #[test]
    fn the_table_is_well_formed() {
        assert!(SUMS.lines().count() > 100);
        for line in SUMS.lines() {
            let (stem, sum) = line.split_once(' ').unwrap();
            let (version, _) = Platform::split(stem).unwrap();
            version.parse::<Version>().unwrap();
            assert!(sum.len() == 128 && sum.bytes().all(|digit| digit.is_ascii_hexdigit()));
            assert_eq!(super::sum(stem), Some(sum), "{stem} is there twice");
        }
        assert_eq!(sum("v1.36.2-plan9-mips"), None);
    }
}
