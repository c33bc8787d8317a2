import { FilePen } from "lucide-react";
import { Block } from "../conversation/blocks/Block";
import { ChangeTitle } from "../diff/ChangeTitle";
import { Counts } from "../diff/Counts";
import type { Layout } from "../diff/layout";
import { Lines } from "../diff/Lines";
import styles from "./FileThen.module.css";
import type { ChangedThen } from "./changed";

/** One file that had changed, with each change that was made to it. */
export function FileThen({ file: { path, added, removed, made }, layout }: { file: ChangedThen; layout: Layout }) {
  const [first] = made;
  const several = made.length > 1;
  return (
    <Block
      id={path}
      open
      icon={<FilePen size={14} />}
      title={first ? <ChangeTitle file={{ ...first.diff, path }} cwd={undefined} /> : <>Changed <code>{path}</code></>}
      meta={<Counts added={added} removed={removed} />}
    >
      {first ? null : <p className={styles.note}>A command changed it: the session has the count, and not the lines.</p>}
      {made.map(({ key, at, diff }, place) => (
        <div key={key}>
          {several ? (
            <p className={styles.note}>
              Change {place + 1} of {made.length}, <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
            </p>
          ) : null}
          <Lines id={key} file={diff} layout={layout} limit={400} />
        </div>
      ))}
    </Block>
  );
}
