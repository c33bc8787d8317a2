import { Check, Copy as CopyIcon } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { tell } from "../../lib/notices";
import { IconButton } from "../../parts/Button";

interface Props {
  text: string;
  label?: string;
  icon?: ReactNode;
}

/** Copies a text, and says that it did. */
export function Copy({ text, label = "Copy", icon = <CopyIcon size={14} aria-hidden /> }: Props) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () =>
    navigator.clipboard
      ? navigator.clipboard.writeText(text).then(() => setCopied(true), refused)
      : refused();
  return (
    <IconButton label={copied ? "Copied" : label} onClick={() => void copy()}>
      {copied ? <Check size={14} aria-hidden /> : icon}
    </IconButton>
  );
}

function refused(): void {
  tell("Nothing was copied: the browser does not allow it here", "error", "select the text and copy it by keyboard");
}
