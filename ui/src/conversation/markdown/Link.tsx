import type { ReactNode } from "react";

/** Opens in a new tab, and tells the other side nothing. A path on this machine leads nowhere in a browser: it stays words. */
export function Link({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href || !/^(https?:|mailto:)/i.test(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}
