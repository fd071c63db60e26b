//! Kinds whose controller deploys a container image: `create api --image`.
//!
//! The type has the image, the number of pods and the port as fields; the controller owns a Deployment, and a Service if there is a port.

use kb_model::Gvk;
use kb_templates::context;

use super::{Request, target::TargetKind};
use crate::project::{
    ContainerCommand, ContainerPort, Image, ImageReference, Project, Resource, UserId,
};

/// The `--image` flags.
#[derive(Debug, Clone, Default)]
pub(crate) struct ImageFlags {
    /// Default image of the kind.
    pub(crate) reference: Option<ImageReference>,
    /// Default port of the container and of the Service.
    pub(crate) container_port: Option<ContainerPort>,
    /// Command that replaces the entry point of the image.
    pub(crate) container_command: Option<ContainerCommand>,
    /// UID of the processes.
    pub(crate) run_as_user: Option<UserId>,
}

impl ImageFlags {
    fn image(&self) -> Option<Image> {
        Some(Image {
            reference: self.reference.clone()?,
            container_port: self.container_port,
            container_command: self.container_command.clone(),
            run_as_user: self.run_as_user,
        })
    }
}

impl From<Image> for ImageFlags {
    fn from(image: Image) -> Self {
        Self {
            reference: Some(image.reference),
            container_port: image.container_port,
            container_command: image.container_command,
            run_as_user: image.run_as_user,
        }
    }
}

/// Returns the image of a request: that of the flags, or the recorded one if it adds the default controller to an existing type.
pub(super) fn resolve(
    request: &Request,
    project: &Project,
    target: Option<&TargetKind>,
) -> Option<Image> {
    if request.resource {
        return request.image.image();
    }
    recorded(request, project, target?).cloned()
}

/// Returns the recorded image of the kind to which a request adds the default controller.
pub(super) fn recorded<'a>(
    request: &Request,
    project: &'a Project,
    target: &TargetKind,
) -> Option<&'a Image> {
    let is_default = !request.resource && request.controller_name.is_none();
    let is_target = |resource: &&Resource| resource.api.is_some() && target.is(resource);
    let resource = project.resources.iter().find(is_target);
    resource.filter(|_| is_default)?.image.as_ref()
}

/// Returns the kinds that the controller owns.
pub(super) fn owns(image: &Image) -> Vec<Gvk> {
    let service = image.container_port.map(|_| "core/v1/Service");
    ["apps/v1/Deployment"]
        .into_iter()
        .chain(service)
        .filter_map(|gvk| gvk.parse().ok())
        .collect()
}

/// Returns the template context.
pub(super) fn context(image: &Image) -> context::Image {
    let command = image.container_command.as_ref();
    let words = command.map_or(&[][..], ContainerCommand::words);
    context::Image {
        reference: literal(&image.reference.to_string()),
        port: image.container_port.map(ContainerPort::get),
        command: words.iter().map(|word| literal(word)).collect(),
        user: image.run_as_user.map(UserId::get),
    }
}

/// Returns a Rust string literal.
fn literal(text: &str) -> String {
    format!("{text:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_adds_a_service() {
        let mut flags = ImageFlags {
            reference: Some("app".parse().unwrap()),
            ..ImageFlags::default()
        };
        let kinds = |flags: &ImageFlags| {
            let owns = owns(&flags.image().unwrap());
            owns.iter()
                .map(|gvk| gvk.kind.to_string())
                .collect::<Vec<_>>()
        };
        assert_eq!(kinds(&flags), ["Deployment"]);
        flags.container_port = Some("80".parse().unwrap());
        assert_eq!(kinds(&flags), ["Deployment", "Service"]);
    }

    #[test]
    fn words_of_a_command_are_rust_literals() {
        let command = "a\"b,c\\d,#{}[= e =],\u{202e}";
        let image = Image {
            reference: "app".parse().unwrap(),
            container_port: None,
            container_command: Some(command.parse().unwrap()),
            run_as_user: None,
        };
        let literals = context(&image).command;
        assert_eq!(
            literals,
            [
                r#""a\"b""#,
                r#""c\\d""#,
                r##""#{}[= e =]""##,
                r#""\u{202e}""#
            ]
        );
        let words = literals.iter().map(|literal| {
            let literal: syn::LitStr = syn::parse_str(literal).unwrap();
            literal.value()
        });
        assert_eq!(words.collect::<Vec<_>>().join(","), command);
    }
}
