//! The CA of a control plane and the certificates it signs. They are only used in the environment's directory.

use std::{fs, path::Path};

use rcgen::{
    BasicConstraints, Certificate, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

use crate::Error;

/// First address of the service range: the API server's address in pods.
const SERVICE_ADDRESS: &str = "10.0.0.1";

/// CA certificate.
pub(crate) const AUTHORITY: &str = "ca.crt";
/// Directory of the webhook serving certificate.
pub(crate) const WEBHOOKS: &str = "webhooks";

/// Client certificate of the administrator, and the CA of the server.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) authority: CertificateDer<'static>,
    pub(crate) certificate: CertificateDer<'static>,
    pub(crate) key: PrivateKeyDer<'static>,
}

/// Generates all keys and certificates in a directory.
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
    let (server, server_key) = server(&names, &issuer).map_err(failed)?;
    let (webhooks, webhooks_key) = self::server(&names[..2], &issuer).map_err(failed)?;

    let mut admin = named("kb-envtest-admin", Some("system:masters")).map_err(failed)?;
    admin.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
    let admin_key = KeyPair::generate().map_err(failed)?;
    let admin = admin.signed_by(&admin_key, &issuer).map_err(failed)?;

    let accounts_key = KeyPair::generate().map_err(failed)?;
    let files = [
        (AUTHORITY, authority_certificate.pem()),
        ("server.crt", server.pem()),
        ("server.key", server_key.serialize_pem()),
        ("webhooks/tls.crt", webhooks.pem()),
        ("webhooks/tls.key", webhooks_key.serialize_pem()),
        ("admin.crt", admin.pem()),
        ("admin.key", admin_key.serialize_pem()),
        ("accounts.key", accounts_key.serialize_pem()),
        ("accounts.pub", accounts_key.public_key_pem()),
    ];
    let file = |path, action| {
        move |source| Error::File {
            path,
            action,
            source,
        }
    };
    let webhooks = folder.join(WEBHOOKS);
    fs::create_dir(&webhooks).map_err(file(webhooks, "create"))?;
    for (name, pem) in files {
        let path = folder.join(name);
        fs::write(&path, pem).map_err(file(path, "write"))?;
    }
    Ok(Identity {
        authority: authority_certificate.der().clone(),
        certificate: admin.der().clone(),
        key: PrivateKeyDer::from(admin_key),
    })
}

/// Signs a serving certificate.
fn server(
    names: &[&str],
    issuer: &Issuer<'_, KeyPair>,
) -> Result<(Certificate, KeyPair), rcgen::Error> {
    let names: Vec<_> = names.iter().copied().map(String::from).collect();
    let mut params = CertificateParams::new(names)?;
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let key = KeyPair::generate()?;
    Ok((params.signed_by(&key, issuer)?, key))
}

/// Client certificate: the common name is the user, organizations are the groups.
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
