import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import { splitBlocks } from "./blocks";
import { Code } from "./Code";
import { Link } from "./Link";
import styles from "./Markdown.module.css";

const PLUGINS = [remarkGfm];

const COMPONENTS: Components = {
  a: ({ href, children }) => <Link href={href}>{children}</Link>,
  // A picture from elsewhere would be a request to elsewhere: the reader decides.
  img: ({ src, alt }) => <Link href={typeof src === "string" ? src : undefined}>{alt || "Image"}</Link>,
  table: ({ children }) => (
    <div className={styles.table} role="region" aria-label="Table" tabIndex={0}>
      <table>{children}</table>
    </div>
  ),
  // The only inputs of markdown are the boxes of a list of tasks.
  input: ({ checked }) => <input type="checkbox" checked={checked ?? false} disabled aria-label={checked ? "Done" : "To do"} />,
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children, node }) => {
    const text = String(children);
    const language = /language-(\S+)/.exec(className ?? "")?.[1];
    const block = language !== undefined || text.endsWith("\n") || node?.position?.start.line !== node?.position?.end.line;
    return block ? <Code code={text.replace(/\n$/, "")} language={language} /> : <code className={styles.inline}>{children}</code>;
  },
};

const Piece = memo(function Piece({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  );
});

/** What an agent writes. Elements are made of it, never HTML; a text that grows renders only its last piece again. */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div className={styles.markdown}>
      {splitBlocks(text).map((block, at) => (
        <Piece key={at} text={block} />
      ))}
    </div>
  );
});
