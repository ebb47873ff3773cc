import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { base, mode } from "../api/client.ts";
import { chooseMode, chooseWorkspace, may, me, signOut, workspace } from "../session/session.ts";
import { pickFiles } from "../upload/drop-target.tsx";
import { Icon, type IconName } from "./icon.tsx";
import { Link, navigate, place } from "./router.tsx";
import { applyTheme, theme, type Theme } from "./theme.ts";
import { attempt } from "./toast.tsx";

type Entry = { to: string; label: string; icon: IconName; role?: "admin" };

const entries: Entry[] = [
  { to: "/", label: "Queue", icon: "queue" },
  { to: "/certificates", label: "Certificates", icon: "check" },
  { to: "/rules", label: "Rules", icon: "rules" },
  { to: "/usage", label: "Usage", icon: "usage" },
  { to: "/webhooks", label: "Webhooks", icon: "webhook", role: "admin" },
  { to: "/keys", label: "API keys", icon: "key", role: "admin" },
  { to: "/people", label: "People", icon: "people" },
  { to: "/audit", label: "Audit", icon: "audit" },
  { to: "/settings", label: "Settings", icon: "settings", role: "admin" },
];

export function Shell({ children }: { children: ComponentChildren }) {
  const { path } = place.value;
  // On a narrow page the entries scroll sideways, and the current one may be out of sight.
  useEffect(() => {
    document.querySelector(".entries [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [path]);
  const isAsset = /^\/assets\/[^/]+\/[^/]+$/.test(path);
  return (
    <div class={isAsset ? "shell working" : "shell"}>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <nav class="rail" aria-label="Console">
        <Link to="/" class="brand">
          <img src={`${base}/console/icon.svg`} width={24} height={24} alt="" />
          <span>Greenlit</span>
        </Link>
        <WorkspaceMenu />
        {may("reviewer") && (
          <button type="button" class="primary wide" onClick={pickFiles}>
            <Icon name="upload" /> <span>Upload</span>
          </button>
        )}
        <div class="entries">
          {entries
            .filter(({ role }) => role === undefined || may(role))
            .map(({ to, label, icon }) => (
              <Link
                key={to}
                to={to}
                aria-current={path === to || (to !== "/" && path.startsWith(to)) ? "page" : undefined}
              >
                <Icon name={icon} /> <span>{label}</span>
              </Link>
            ))}
        </div>
        <PersonMenu />
      </nav>
      <main id="main" tabIndex={-1}>
        {mode.value === "sandbox" && (
          <p class="banner">Sandbox: nothing here is analysed, and nothing costs credits.</p>
        )}
        {children}
      </main>
    </div>
  );
}

function WorkspaceMenu() {
  const workspaces = me.value?.workspaces ?? [];
  return (
    <div class="place">
      {workspaces.length > 1 ? (
        <select
          aria-label="Workspace"
          value={workspace.value?.workspaceId}
          onChange={(event) => {
            const id = event.currentTarget.value;
            void attempt(() => chooseWorkspace(id)).then(() => navigate("/"));
          }}
        >
          {workspaces.map(({ workspaceId, name }) => (
            <option key={workspaceId} value={workspaceId}>
              {name}
            </option>
          ))}
        </select>
      ) : (
        <strong class="cut">{workspace.value?.name ?? "No workspace"}</strong>
      )}
      <div class="segments" role="group" aria-label="Mode">
        {(["live", "sandbox"] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={mode.value === name}
            onClick={() => {
              chooseMode(name);
              navigate("/");
            }}
          >
            {name === "live" ? "Live" : "Sandbox"}
          </button>
        ))}
      </div>
    </div>
  );
}

function PersonMenu() {
  const { name = "", email = "" } = me.value ?? {};
  return (
    <div class="person">
      <button type="button" class="plain" popovertarget="person-menu">
        <span class="avatar" aria-hidden="true">
          {initials(name)}
        </span>
        <span class="cut">{name}</span>
      </button>
      <div id="person-menu" popover="auto" class="menu">
        <p class="quiet cut">{email}</p>
        <Link to="/profile">Profile and sessions</Link>
        <label class="row">
          Theme
          <select value={theme.value} onChange={(event) => applyTheme(event.currentTarget.value as Theme)}>
            <option value="system">System</option>
            <option value="light">Light</option>
            <option value="dark">Dark</option>
          </select>
        </label>
        <button type="button" class="plain" onClick={() => void signOut()}>
          Sign out
        </button>
      </div>
    </div>
  );
}

function initials(name: string): string {
  const parts = name.trim().split(/\s+/);
  return ((parts[0]?.[0] ?? "") + (parts.length > 1 ? (parts.at(-1)?.[0] ?? "") : "")).toUpperCase();
}
