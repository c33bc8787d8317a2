import { useState } from "react";
import { Copy } from "./Copy";

interface Props {
  label: string;
  make(): string;
}

/** Copies what is made only when somebody reaches for the button: it would cost too much to have it ready all the time. */
export function LazyCopy({ label, make }: Props) {
  const [text, setText] = useState("");
  const fill = () => setText(make());
  return (
    <span onPointerDownCapture={fill} onFocusCapture={fill} onKeyDownCapture={fill}>
      <Copy text={text} label={label} />
    </span>
  );
}
