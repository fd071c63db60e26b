//! The keys of one control plane: an authority, and what it signs. They live in its folder, and nowhere else trusts them.

use std::{fs, path::Path};

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::Error;

/// The first address of the service range: what pods know the API server by.
const SERVICE_ADDRESS: &str = "10.0.0.1";

/// How an administrator knows the API server, and is known by it.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) authority: CertificateDer<'static>,
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) key: PrivateKeyDer<'static>,
}

/// Makes all keys and certificates, as files in this folder.
pub(crate) fn write(folder: &Path) -> Result<Identity, Error> {
    let failed = |error: rcgen::Error| Error::Certificates(error.into());
    let authority_key = KeyPair::generate().map_err(failed)?;
    let mut authority = named("kb-envtest", None).map_err(failed)?;
    authority.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    authority.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    let authority_certificate = authority.self_signed(&authority_key).map_err(failed)?;
    let issuer = Issuer::new(authority, authority_key);

    let names = [
        "localhost",
        "127.0.0.1",
        "kubernetes.default.svc",
        SERVICE_ADDRESS,
    ];
    let mut server = CertificateParams::new(names.map(String::from)).map_err(failed)?;
    server.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let server_key = KeyPair::generate().map_err(failed)?;
    let server = server.signed_by(&server_key, &issuer).map_err(failed)?;

    let mut admin = named("kb-envtest-admin", Some("system:masters")).map_err(failed)?;
    admin.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let admin_key = KeyPair::generate().map_err(failed)?;
    let admin = admin.signed_by(&admin_key, &issuer).map_err(failed)?;

    let accounts_key = KeyPair::generate().map_err(failed)?;
    let files = [
        ("ca.crt", authority_certificate.pem()),
        ("server.crt", server.pem()),
        ("server.key", server_key.serialize_pem()),
        ("admin.crt", admin.pem()),
        ("admin.key", admin_key.serialize_pem()),
        ("accounts.key", accounts_key.serialize_pem()),
        ("accounts.pub", accounts_key.public_key_pem()),
    ];
    for (name, pem) in files {
        let path = folder.join(name);
        fs::write(&path, pem).map_err(|source| Error::File {
            path,
            action: "written",
            source,
        })?;
    }
    Ok(Identity {
        authority: authority_certificate.der().clone(),
        certificate: admin.der().clone(),
        key: PrivateKeyDer::from(admin_key),
    })
}

/// A certificate of somebody: Kubernetes takes the common name for the user, and organizations for groups.
fn named(name: &str, group: Option<&str>) -> Result<CertificateParams, rcgen::Error> {
    let mut params = CertificateParams::new([])?;
    params.distinguished_name.push(DnType::CommonName, name);
    if let Some(group) = group {
        params
            .distinguished_name
            .push(DnType::OrganizationName, group);
    }
    Ok(params)
}
