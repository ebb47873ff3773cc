import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { mode } from "./api/client.ts";
import { Queue } from "./pages/queue.tsx";
import { Door, hasLink } from "./session/door.tsx";
import { me, workspace } from "./session/session.ts";
import { followWorkspace } from "./session/live.ts";
import { lazy } from "./ui/lazy.tsx";
import { Link, place } from "./ui/router.tsx";
import { Shell } from "./ui/shell.tsx";
import { Toasts } from "./ui/toast.tsx";
import { DropTarget } from "./upload/drop-target.tsx";

type PageProps = { params: string[] };

/** For whoever has the link, signed in or not. */
const StatusPage = lazy(async () => (await import("./pages/status.tsx")).StatusPage);

const pages: [RegExp, ComponentType<PageProps>][] = [
  [/^\/$/, Queue],
  [/^\/assets\/([^/]+)\/([^/]+)$/, lazy(async () => (await import("./pages/asset.tsx")).AssetPage)],
  [/^\/assets\/([^/]+)\/([^/]+)\/markets$/, lazy(async () => (await import("./pages/markets.tsx")).MarketsPage)],
  [/^\/certificates$/, lazy(async () => (await import("./pages/certificates.tsx")).CertificatesPage)],
  [/^\/certificates\/([^/]+)$/, lazy(async () => (await import("./pages/certificate.tsx")).CertificatePage)],
  [/^\/rules$/, lazy(async () => (await import("./pages/rules.tsx")).RulesPage)],
  [/^\/usage$/, lazy(async () => (await import("./pages/usage.tsx")).UsagePage)],
  [/^\/webhooks$/, lazy(async () => (await import("./pages/webhooks.tsx")).WebhooksPage)],
  [/^\/webhooks\/([^/]+)$/, lazy(async () => (await import("./pages/webhook.tsx")).WebhookPage)],
  [/^\/keys$/, lazy(async () => (await import("./pages/keys.tsx")).KeysPage)],
  [/^\/people$/, lazy(async () => (await import("./pages/people.tsx")).PeoplePage)],
  [/^\/audit$/, lazy(async () => (await import("./pages/audit.tsx")).AuditPage)],
  [/^\/settings$/, lazy(async () => (await import("./pages/settings.tsx")).SettingsPage)],
  [/^\/profile$/, lazy(async () => (await import("./pages/profile.tsx")).ProfilePage)],
];

export function App() {
  return (
    <>
      <Content />
      <Toasts />
    </>
  );
}

function Content() {
  const { path } = place.value;
  const id = workspace.value?.workspaceId;
  useEffect(() => (id === undefined ? undefined : followWorkspace(id)), [id]);
  const [, status] = /^\/status\/([^/]+)$/.exec(path) ?? [];
  if (status !== undefined) return <StatusPage params={[status]} />;
  if (me.value === undefined) return null;
  if (me.value === null || hasLink()) return <Door />;
  for (const [pattern, Page] of pages) {
    const match = pattern.exec(path);
    // Another workspace or mode is another world: nothing of the old one may stay on the screen.
    if (match)
      return (
        <DropTarget>
          <Shell>
            <Page key={`${id} ${mode.value}`} params={match.slice(1)} />
          </Shell>
        </DropTarget>
      );
  }
  return (
    <Shell>
      <div class="empty">
        <h1>There is no such page</h1>
        <p class="quiet">The address may be incomplete.</p>
        <Link class="button" to="/">
          To the queue
        </Link>
      </div>
    </Shell>
  );
}
