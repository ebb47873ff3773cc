import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { ScaledObject, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { Deployment } from "kubernetes-models/apps/v1";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Job } from "kubernetes-models/batch/v1";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { readConfig } from "@greenlit/server/config.ts";
import { analysisQueues } from "@greenlit/server/queue/queues.ts";
import { renderChart } from "./testing/render-chart.ts";

const chart = new URL("../../deploy/helm/greenlit/", import.meta.url);
/** Each checks its manifest against the schemas of Kubernetes 1.3x or of KEDA 2. */
const kinds = {
  ConfigMap,
  Deployment,
  HorizontalPodAutoscaler,
  Job,
  NetworkPolicy,
  PodDisruptionBudget,
  ScaledObject,
  Service,
  TriggerAuthentication,
} as unknown as Record<string, new (manifest: object) => { validate(): void; apiVersion: string }>;

type Container = { args: string[]; image: string; env?: { name: string }[]; securityContext: Record<string, unknown> };
type Pod = { securityContext: { seccompProfile: Record<string, string> }; containers: Container[] };

async function render(values: Record<string, unknown> = {}) {
  const manifests = await renderChart(chart, { release: "acme", values });
  return (kind: string, name: string) => {
    const found = manifests.find((each) => each.kind === kind && each.metadata.name === name);
    assert.ok(found, `${kind} ${name}`);
    return found as unknown as { spec: Record<string, unknown> & { template: { spec: Pod } } };
  };
}

test("every manifest is one that Kubernetes and KEDA take, with each value that changes the form", async () => {
  for (const values of [{}, { keda: { enabled: false } }, { networkPolicy: { enabled: false }, seccompProfile: "" }]) {
    const manifests = await renderChart(chart, { release: "acme", values });
    assert.ok(manifests.length >= 7);
    for (const manifest of manifests) {
      const Kind = kinds[manifest.kind];
      assert.ok(Kind, manifest.kind);
      const model = new Kind(manifest);
      assert.equal(manifest.apiVersion, model.apiVersion);
      assert.doesNotThrow(() => model.validate(), `${manifest.kind} ${manifest.metadata.name}`);
    }
  }
});

test("a manifest with a wrong field is refused, so that the check means something", async () => {
  const get = await render();
  const { spec, ...rest } = get("Deployment", "acme-api");
  const wrong = new Deployment({ ...rest, spec: { ...spec, replicas: "two" } } as never);

  assert.throws(() => wrong.validate());
});

test("the worker is scaled by its own queues, and jailed by the profile that the images use", async () => {
  const get = await render();

  const { triggers } = get("ScaledObject", "acme-worker").spec as unknown as {
    triggers: { metadata: { query: string } }[];
  };
  for (const queue of Object.values(analysisQueues))
    assert.match(triggers[0]?.metadata.query ?? "", new RegExp(`'${queue}'`));
  const { seccompProfile } = get("Deployment", "acme-worker").spec.template.spec.securityContext;
  assert.equal(seccompProfile["type"], "Localhost");
  const [inChart, inDeploy] = await Promise.all(
    [new URL("files/seccomp-worker.json", chart), new URL("../../seccomp-worker.json", chart)].map((file) =>
      readFile(file, "utf8"),
    ),
  );
  assert.equal(inChart, inDeploy);
});

test("pods run without root on a read-only root file system, and secrets come by reference alone", async () => {
  const get = await render();
  const pods = [get("Deployment", "acme-api"), get("Deployment", "acme-worker"), get("Job", "acme-migrate")];

  for (const { spec } of pods) {
    const [container] = spec.template.spec.containers;
    assert.equal(container?.securityContext["readOnlyRootFilesystem"], true);
    assert.equal(container?.securityContext["allowPrivilegeEscalation"], false);
    assert.ok(JSON.stringify(container).includes('"secretRef":{"name":"greenlit"}'));
  }
  const { data } = get("ConfigMap", "acme-settings") as unknown as { data: Record<string, string> };
  const { warnings } = readConfig(data);
  assert.deepEqual(warnings, [], "every setting is one that the service knows");
  for (const name of Object.keys(data)) assert.doesNotMatch(name, /KEY|SECRET|DATABASE_URL|CONNECTION/);
});
