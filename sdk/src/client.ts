import type { IssueDecision, NewSubmission, NewWebhookSubscription } from "./generated.ts";
import { GreenlitError } from "./errors.ts";
import { paginate } from "./pages.ts";
import { peopleMethods, reviewMethods } from "./people.ts";
import { follow, type FollowOptions } from "./realtime.ts";
import { createTransport, type Body, type ClientOptions, type Query, type RequestOptions } from "./transport.ts";
import { upload, type UploadOptions } from "./upload.ts";
import type { UploadSource } from "./upload-source.ts";
import { waitUntilDone, type WaitOptions } from "./wait-until-done.ts";
import { unwrapWebhook, type UnwrapOptions } from "./webhooks.ts";

export type Greenlit = ReturnType<typeof createGreenlit>;

/** A client of one workspace. It keeps no connection and need not be closed. */
export function createGreenlit(options: ClientOptions = {}) {
  const transport = createTransport(options);
  const { call } = transport;
  const ofSubmission = (submission_id: string) => ({ params: { submission_id } });
  const ofAsset = (submission_id: string, asset_id: string) => ({ params: { submission_id, asset_id } });
  const ofIssue = (submission_id: string, asset_id: string, issue_id: string) => ({
    params: { submission_id, asset_id, issue_id },
  });
  const ofWebhook = (subscription_id: string) => ({ params: { subscription_id } });
  const ofDelivery = (subscription_id: string, delivery_id: string) => ({ params: { subscription_id, delivery_id } });

  return {
    /** Any operation of the API by the name that the OpenAPI document gives it. */
    call,

    /** Uploads a file of any size: directly up to 10 MB, in blocks beyond, resumable. */
    upload: (source: UploadSource, options?: UploadOptions) => upload(transport, source, options),

    uploads: {
      createUrl: (file: { filename: string; contentType: string }) => call("createUploadUrl", { body: file }),
      /** A fresh address for the same object; blocks that were sent are kept. */
      renewUrl: (upload: { blobPath: string; uploadUrl: string }, { signal }: RequestOptions = {}) =>
        transport.renewUploadUrl(upload, signal),
    },

    submissions: {
      /** Sent once however often it is retried: all attempts carry one idempotency key. */
      create: (
        submission: NewSubmission,
        { simulationDelaySeconds, ...options }: RequestOptions & { simulationDelaySeconds?: number } = {},
      ) =>
        call("createSubmission", {
          body: submission,
          ...(simulationDelaySeconds !== undefined && { query: { simulationDelaySeconds } }),
          ...options,
        }),
      get: (submissionId: string) => call("readSubmission", ofSubmission(submissionId)),
      list: (query: Query<"listSubmissions"> = {}) =>
        paginate({ query, read: (query) => call("listSubmissions", { query }), itemsOf: ({ data }) => data }),
      delete: (submissionId: string) => call("deleteSubmission", ofSubmission(submissionId)),
      versions: (submissionId: string) => call("readVersions", ofSubmission(submissionId)),
      /** Follows the stream of events, or polls where there is none, until `complete` or `failed`. */
      waitUntilDone: (submissionId: string, options?: WaitOptions) => waitUntilDone(transport, submissionId, options),
    },

    assets: {
      get: (submissionId: string, assetId: string) => call("readAsset", ofAsset(submissionId, assetId)),
      issues: (submissionId: string, assetId: string, query: Query<"readIssues"> = {}) =>
        paginate({
          query,
          read: (query) => call("readIssues", { ...ofAsset(submissionId, assetId), query }),
          itemsOf: ({ issues }) => issues,
        }),
      topics: (submissionId: string, assetId: string) => call("readTopics", ofAsset(submissionId, assetId)),
      diff: (submissionId: string, assetId: string) => call("readDiff", ofAsset(submissionId, assetId)),
      measurements: (submissionId: string, assetId: string) => call("readMeasurements", ofAsset(submissionId, assetId)),
      transcript: (submissionId: string, assetId: string) => call("readTranscript", ofAsset(submissionId, assetId)),
      search: (submissionId: string, assetId: string, query: Query<"searchAsset"> = {}) =>
        paginate({
          query,
          read: (query) => call("searchAsset", { ...ofAsset(submissionId, assetId), query }),
          itemsOf: ({ data }) => data,
        }),
      retry: (
        submissionId: string,
        assetId: string,
        { reason, ...options }: RequestOptions & { reason?: string } = {},
      ) =>
        call("retryAsset", {
          ...ofAsset(submissionId, assetId),
          ...(reason !== undefined && { body: { reason } }),
          ...options,
        }),
      /** The signed address of the file, for five minutes. Not in a browser: it hides where a redirect leads. */
      originalUrl: async (submissionId: string, assetId: string) => {
        const response = await transport.open("readOriginal", ofAsset(submissionId, assetId));
        const url = response.headers.get("location");
        if (url === null)
          throw new GreenlitError("The address of the original cannot be read here; ask for it on your server.");
        return url;
      },
    },

    issues: {
      get: (submissionId: string, assetId: string, issueId: string) =>
        call("readIssue", ofIssue(submissionId, assetId, issueId)),
      update: (submissionId: string, assetId: string, issueId: string, decision: IssueDecision) =>
        call("changeIssueStatus", { ...ofIssue(submissionId, assetId, issueId), body: decision }),
      /** An issue that no rule found. */
      report: (submissionId: string, assetId: string, issue: Body<"reportIssue">) =>
        call("reportIssue", { ...ofAsset(submissionId, assetId), body: issue }),
      /** Decides about many at once, by their ids or by a filter. */
      decide: (submissionId: string, assetId: string, decisions: Body<"decideIssues">) =>
        call("decideIssues", { ...ofAsset(submissionId, assetId), body: decisions }),
      /** The picture at the finding, a JPEG. */
      frame: async (submissionId: string, assetId: string, issueId: string): Promise<Blob> =>
        (await call("readIssueFrame", ofIssue(submissionId, assetId, issueId))).blob(),
    },

    ...reviewMethods(call),
    ...peopleMethods(call),

    certificates: {
      issue: (submissionId: string, assetId: string, certificate: Body<"issueCertificate"> = {}) =>
        call("issueCertificate", { ...ofAsset(submissionId, assetId), body: certificate }),
      get: (certificateId: string) => call("readCertificate", { params: { certificate_id: certificateId } }),
      /** Compares with an `assetId` are jobs: ask again until `content.state` is `complete` or `failed`. */
      verify: (question: Body<"verifyCertificate">) => call("verifyCertificate", { body: question }),
    },

    sidekicks: {
      list: () => call("listSidekicks"),
      rules: (sidekickId: string) => call("listRules", { params: { sidekick_id: sidekickId } }),
    },

    sandbox: {
      fireEvents: (event: Body<"fireSandboxEvents">) => call("fireSandboxEvents", { body: event }),
    },

    webhooks: {
      create: (subscription: NewWebhookSubscription, options: RequestOptions = {}) =>
        call("createWebhook", { body: subscription, ...options }),
      list: (query: Query<"listWebhooks"> = {}) =>
        paginate({ query, read: (query) => call("listWebhooks", { query }), itemsOf: ({ data }) => data }),
      get: (subscriptionId: string) => call("readWebhook", ofWebhook(subscriptionId)),
      update: (subscriptionId: string, changes: Body<"updateWebhook">) =>
        call("updateWebhook", { ...ofWebhook(subscriptionId), body: changes }),
      delete: (subscriptionId: string) => call("deleteWebhook", ofWebhook(subscriptionId)),
      test: (subscriptionId: string, event: Body<"testWebhook">) =>
        call("testWebhook", { ...ofWebhook(subscriptionId), body: event }),
      rotateSecret: (subscriptionId: string, rotation: Body<"rotateWebhookSecret"> = {}) =>
        call("rotateWebhookSecret", { ...ofWebhook(subscriptionId), body: rotation }),
      recover: (subscriptionId: string, span: Body<"recoverWebhookDeliveries">) =>
        call("recoverWebhookDeliveries", { ...ofWebhook(subscriptionId), body: span }),
      deliveries: (subscriptionId: string, query: Query<"listWebhookDeliveries"> = {}) =>
        paginate({
          query,
          read: (query) => call("listWebhookDeliveries", { ...ofWebhook(subscriptionId), query }),
          itemsOf: ({ data }) => data,
        }),
      delivery: (subscriptionId: string, deliveryId: string) =>
        call("readWebhookDelivery", ofDelivery(subscriptionId, deliveryId)),
      replay: (subscriptionId: string, deliveryId: string) =>
        call("replayWebhookDelivery", ofDelivery(subscriptionId, deliveryId)),
      /** Verifies a delivery and gives its event; throws WebhookVerificationError when it is not genuine. */
      unwrap: (delivery: UnwrapOptions) => unwrapWebhook(delivery),
    },

    realtime: {
      /** `for await (const message of greenlit.realtime.follow(channel))`; it connects again without a hole. */
      follow: (channel: string, options?: FollowOptions) => follow(transport, channel, options),
      /** Lets a page follow one channel without the key. */
      createToken: (channel: string) => call("createRealtimeToken", { body: { channel } }),
    },

    /** What the key is allowed to do, and what is left of it. */
    limits: () => call("readLimits"),
  };
}
