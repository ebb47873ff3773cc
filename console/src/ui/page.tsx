import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

/** Heading, what can be done here, and the rest. */
export function Page(props: {
  title: string;
  /** The way back, above the heading. */
  above?: ComponentChildren;
  about?: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { title, above, about, actions, children } = props;
  useTitle(title);
  return (
    <div class="page">
      <header class="page-head">
        <div class="heading">
          {above}
          <h1>{title}</h1>
          {about && <p class="quiet">{about}</p>}
        </div>
        {actions && <div class="actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Greenlit`;
  }, [title]);
}
