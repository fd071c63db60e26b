//! A mirror of the envtest releases in a directory.

use std::{env::consts::EXE_SUFFIX, fs, path::Path};

use flate2::{Compression, write::GzEncoder};
use kb_envtest::Platform;
use ring::digest::{SHA512, digest};

/// Writes `index.yaml` and an archive for each version, and for the last one also for another platform.
pub(crate) fn write_mirror(dir: &Path, versions: &[&str]) {
    let archive = archive();
    fs::write(dir.join("archive.tar.gz"), &archive).unwrap();
    let digest = digest(&SHA512, &archive);
    let digits: Vec<String> = digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let sum = digits.concat();
    let here = Platform::current().to_string().replace('/', "-");
    let mut index = "releases:\n".to_owned();
    for version in versions {
        let is_last = versions.last() == Some(version);
        let platforms = [Some(here.as_str()), is_last.then_some("plan9-mips")];
        let archives = platforms.into_iter().flatten().map(|platform| {
            format!("    envtest-{version}-{platform}.tar.gz:\n      hash: {sum}\n      selfLink: archive.tar.gz\n")
        });
        index.push_str("  ");
        index.push_str(version);
        index.push_str(":\n");
        index.extend(archives);
    }
    fs::write(dir.join("index.yaml"), index).unwrap();
}

/// Builds an archive like the published ones: three executables below two directories.
fn archive() -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for name in ["etcd", "kube-apiserver", "kubectl"] {
        let text = "#!/bin/sh\n";
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o755);
        let path = format!("controller-tools/envtest/{name}{EXE_SUFFIX}");
        builder
            .append_data(&mut header, path, text.as_bytes())
            .unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}
