import type { Token } from "../code/tokens";
import "../code/colors.css";

/** A line's text, coloured once its colours are known. */
export function Text({ text, tokens }: { text: string; tokens: readonly Token[] | undefined }) {
  if (!tokens) return text;
  return tokens.map((token, at) => (token.classes ? <span key={at} className={token.classes}>{token.text}</span> : token.text));
}
