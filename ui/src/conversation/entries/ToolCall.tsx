import { Wrench } from "lucide-react";
import { useMemo } from "react";
import { duration } from "../../lib/format";
import { Block } from "../blocks/Block";
import { Json } from "../blocks/Json";
import { Pictures } from "../pictures/Pictures";
import { picturesOf, withoutBytes } from "../pictures/sources";
import type { Went } from "./ended";
import styles from "./ToolCall.module.css";
import pictured from "./withPictures.module.css";

interface Props {
  id: string;
  tool: string;
  given: unknown;
  answer: unknown;
  went: Went;
  took: number | undefined;
}

/** A tool with what it was given and what it answered, folded to one line; pictures are seen without opening it. */
export function ToolCall({ id, tool, given, answer, went, took }: Props) {
  const short = given === undefined || given === null ? "" : JSON.stringify(given);
  const pictures = useMemo(() => picturesOf(answer, `Picture from ${tool}`), [answer, tool]);
  return (
    <div className={pictured.with}>
      <Block
        id={id}
        icon={<Wrench size={14} />}
        tone={went.tone}
        title={
          <>
            <span className={styles.name}>{tool}</span> <code className={styles.given}>{short.slice(0, 200)}</code>
          </>
        }
        meta={[went.words, took === undefined ? undefined : duration(took)].filter(Boolean).join(" · ")}
      >
        <Json label="Arguments" value={given ?? null} />
        {answer === undefined || answer === null ? null : <Json label="Result" value={withoutBytes(plain(answer))} />}
      </Block>
      <Pictures pictures={pictures} />
    </div>
  );
}

/** An answer that is nothing but texts is shown as those. */
function plain(answer: unknown): unknown {
  const parts = Array.isArray(answer) ? answer : undefined;
  const texts = parts?.map((part: unknown) =>
    typeof part === "object" && part !== null && "text" in part && typeof part.text === "string" ? part.text : undefined,
  );
  return texts && texts.length > 0 && texts.every((text) => text !== undefined) ? texts.join("\n") : answer;
}
