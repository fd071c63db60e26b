//! The objects of the operator.

use futures::{StreamExt, stream};
use kb::k8s_openapi::api::{apps::v1::Deployment, core::v1::Service};
use kube::{
    Api, Client, ResourceExt,
    api::{
        ApiResource, DynamicObject, GroupVersionKind, ListParams, Patch, PatchParams, PostParams,
    },
};
use serde_json::{Value, json};

/// Objects of the operator in a namespace, and the Deployments and Services that they own.
#[derive(Clone)]
pub(crate) struct AppServices {
    kind: ApiResource,
    pub objects: Api<DynamicObject>,
    pub deployments: Api<Deployment>,
    pub services: Api<Service>,
}

impl AppServices {
    pub(crate) fn new(client: Client, namespace: &str) -> Self {
        let kind = GroupVersionKind::gvk("batch.example.com", "v1alpha1", "AppService");
        let kind = ApiResource::from_gvk(&kind);
        Self {
            objects: Api::namespaced_with(client.clone(), namespace, &kind),
            deployments: Api::namespaced(client.clone(), namespace),
            services: Api::namespaced(client, namespace),
            kind,
        }
    }

    pub(crate) async fn create(&self, name: &str, image: &str) -> kube::Result<DynamicObject> {
        self.create_with_spec(name, json!({"image": image, "port": 8080}))
            .await
    }

    pub(crate) async fn create_with_spec(
        &self,
        name: &str,
        spec: Value,
    ) -> kube::Result<DynamicObject> {
        let object = DynamicObject::new(name, &self.kind).data(json!({"spec": spec}));
        self.objects.create(&PostParams::default(), &object).await
    }

    /// Creates many objects concurrently.
    pub(crate) async fn create_many(&self, names: impl IntoIterator<Item = String>) {
        let create = |name: String| async move { self.create(&name, "shop:1").await.unwrap() };
        stream::iter(names)
            .map(create)
            .buffer_unordered(32)
            .for_each(|_| async {})
            .await;
    }

    /// Changes the image. It may have changed despite an error.
    pub(crate) async fn set_image(&self, name: &str, image: &str) -> kube::Result<()> {
        let patch = Patch::Merge(json!({"spec": {"image": image}}));
        self.objects
            .patch(name, &PatchParams::default(), &patch)
            .await?;
        Ok(())
    }

    /// Returns the names of objects whose Deployment, Service or status does not match their spec.
    pub(crate) async fn not_converged(&self) -> kube::Result<Vec<String>> {
        let everything = ListParams::default();
        let objects = self.objects.list(&everything).await?;
        let deployments = self.deployments.list(&everything).await?;
        let services = self.services.list(&everything).await?;
        let is_converged = |object: &DynamicObject| {
            let name = object.name_any();
            let deployment = deployments.iter().find(|found| found.name_any() == name);
            let service = services.iter().any(|found| found.name_any() == name);
            let observed = &object.data["status"]["observedGeneration"];
            service
                && deployment.is_some_and(|found| image(found) == object.data["spec"]["image"])
                && *observed == json!(object.metadata.generation)
        };
        let pending = objects.iter().filter(|object| !is_converged(object));
        Ok(pending.map(ResourceExt::name_any).collect())
    }

    /// Returns whether there are `count` objects and all are converged.
    pub(crate) async fn are_converged(&self, count: usize) -> bool {
        let objects = self.objects.list_metadata(&ListParams::default()).await;
        let all = objects.is_ok_and(|objects| objects.items.len() == count);
        all && self
            .not_converged()
            .await
            .is_ok_and(|names| names.is_empty())
    }
}

/// Returns the image of a Deployment.
pub(crate) fn image(deployment: &Deployment) -> Value {
    let json = serde_json::to_value(deployment).unwrap();
    json["spec"]["template"]["spec"]["containers"][0]["image"].clone()
}
