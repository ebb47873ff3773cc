import { signal } from "@preact/signals";
import type { AnchorHTMLAttributes, ComponentChildren } from "preact";
import { base } from "../api/client.ts";

const start = `${base}/console`;

function read() {
  const { pathname, search, hash } = location;
  return {
    path: pathname.slice(start.length).replace(/\/$/, "") || "/",
    query: new URLSearchParams(search),
    hash: new URLSearchParams(hash.slice(1)),
  };
}

/** Where the page is, below `/console`. */
export const place = signal(read());
for (const event of ["popstate", "hashchange"]) addEventListener(event, () => (place.value = read()));

export function navigate(to: string, { replace = false } = {}): void {
  history[replace ? "replaceState" : "pushState"](null, "", start + (to === "/" ? "" : to));
  place.value = read();
  if (!replace) scrollTo(0, 0);
}

/** Filters are in the address, so that a view can be sent to a colleague. An empty one leaves. */
export function setQuery(changes: Record<string, string>): void {
  const query = new URLSearchParams(place.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  navigate(place.value.path + (text === "" ? "" : `?${text}`), { replace: true });
}

/** Says where in the asset the reviewer is, without a step in the history for each finding. */
export function setHash(values: Record<string, string>): void {
  const text = new URLSearchParams(values).toString();
  history.replaceState(null, "", location.pathname + location.search + (text === "" ? "" : `#${text}`));
}

type LinkProps = {
  to: string;
  children: ComponentChildren;
  class?: string;
} & Pick<AnchorHTMLAttributes, "aria-current" | "aria-label">;

export function Link({ to, children, ...rest }: LinkProps) {
  return (
    <a
      {...rest}
      href={start + (to === "/" ? "" : to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
