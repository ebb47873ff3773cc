import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { messageOf } from "../api/client.ts";
import { Skeleton } from "./load.tsx";

/** A page whose code is fetched when somebody opens it. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined;
  return function Lazy(props: Props) {
    const state = useSignal<{ error?: string; done?: boolean }>({});
    useEffect(() => {
      if (loaded) return;
      Promise.all([load(), loadStyle()]).then(
        ([component]) => {
          loaded = component;
          state.value = { done: true };
        },
        (error: unknown) => (state.value = { error: messageOf(error) }),
      );
    }, []);
    const { error } = state.value;
    if (loaded) {
      const Page = loaded;
      return <Page {...props} />;
    }
    if (error === undefined) return <Skeleton />;
    return (
      <div class="empty" role="alert">
        <p>This page could not be loaded. There may be a new version.</p>
        <button type="button" onClick={() => location.reload()}>
          Load again
        </button>
      </div>
    );
  };
}

let style: Promise<void> | undefined;

/** The looks of everything that is lazy. Without them a page is plain, not away. */
function loadStyle(): Promise<void> {
  style ??= new Promise((resolve) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = document.querySelector<HTMLMetaElement>('meta[name="greenlit-later-style"]')?.content ?? "";
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => resolve());
    document.head.append(link);
  });
  return style;
}
