import type { AnchorHTMLAttributes, MouseEvent } from "react";
import { address, go, type Route } from "../lib/route";

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  to: Route;
}

/** A real link (it can be opened in another tab) that does not load the page again. */
export function Link({ to, onClick, ...rest }: Props) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || event.button !== 0;
    if (elsewhere || event.defaultPrevented) return;
    event.preventDefault();
    go(to);
  };
  return <a href={address(to)} onClick={follow} {...rest} />;
}
