//! A local mirror of the index and its archives.

use std::{
    env::consts::EXE_SUFFIX,
    io::Write,
    sync::{Arc, Mutex},
};

use flate2::{Compression, write::GzEncoder};
use kb_envtest::{Platform, download::Location};
use ring::digest::{SHA512, digest};

use crate::server::{Answer, Request, Server};

type Answering = Box<dyn Fn(&Request) -> Answer + Send>;

/// Serves the index at `/index.yaml` and the same archive for each version at `/VERSION.tar.gz`.
pub(crate) struct Mirror {
    server: Server,
    index: String,
    sum: String,
    archives: Arc<Mutex<Answering>>,
}

impl Mirror {
    pub(crate) fn new(versions: &[&str], archive: &[u8]) -> Self {
        let sum = sum(archive);
        let platform = Platform::current().to_string().replace('/', "-");
        let release = |version: &&str| {
            format!(
                "  {version}:\n    envtest-{version}-{platform}.tar.gz:\n      hash: {sum}\n      selfLink: {version}.tar.gz\n"
            )
        };
        let releases: Vec<String> = versions.iter().map(release).collect();
        let index = format!("releases:\n{}", releases.concat());
        let whole = archive.to_vec();
        let answering: Answering = Box::new(move |_| Answer::ok(whole.clone()));
        let archives = Arc::new(Mutex::new(answering));
        let (text, answers) = (index.clone(), Arc::clone(&archives));
        let server = Server::start(move |request| match request.path.as_str() {
            "/index.yaml" => Answer::ok(text.clone().into_bytes()),
            _ => answers.lock().unwrap()(request),
        });
        Self {
            server,
            index,
            sum,
            archives,
        }
    }

    /// Replaces the responses for archives.
    pub(crate) fn answer_archives(&self, answer: impl Fn(&Request) -> Answer + Send + 'static) {
        *self.archives.lock().unwrap() = Box::new(answer);
    }

    pub(crate) fn index(&self) -> Location {
        format!("{}/index.yaml", self.server.url()).parse().unwrap()
    }

    pub(crate) fn index_text(&self) -> &str {
        &self.index
    }

    pub(crate) fn sum(&self) -> &str {
        &self.sum
    }

    /// Returns the requests for archives.
    pub(crate) fn requests(&self) -> Vec<Request> {
        let requests = self.server.requests().into_iter();
        requests
            .filter(|request| request.path != "/index.yaml")
            .collect()
    }

    pub(crate) fn archives_sent(&self) -> usize {
        self.requests().len()
    }
}

pub(crate) fn sum(bytes: &[u8]) -> String {
    let digest = digest(&SHA512, bytes);
    let digits: Vec<String> = digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    digits.concat()
}

/// Returns an archive like the published ones.
pub(crate) fn control_plane() -> Vec<u8> {
    archive(&["etcd", "kube-apiserver", "kubectl"].map(|name| {
        (
            format!("controller-tools/envtest/{name}{EXE_SUFFIX}").leak() as &str,
            "#!/bin/sh\n",
        )
    }))
}

/// Returns an archive with these files; `link:NAME` is a symlink to the text.
pub(crate) fn archive(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for (name, text) in entries {
        let mut header = tar::Header::new_gnu();
        let link = name.strip_prefix("link:");
        let name = link.unwrap_or(name);
        // The tar crate rejects paths outside of the archive.
        header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
        let text = if link.is_some() {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_link_name(text).unwrap();
            ""
        } else {
            text
        };
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append(&header, text.as_bytes()).unwrap();
    }
    let mut zip = builder.into_inner().unwrap();
    zip.flush().unwrap();
    zip.finish().unwrap()
}
