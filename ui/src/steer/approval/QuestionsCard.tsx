import { useState } from "react";
import type { PendingApproval } from "../../api/types";
import styles from "./Body.module.css";
import { Frame, type Parts } from "./Frame";
import { QuestionField } from "./QuestionField";
import { type Given, gather } from "./questions";
import { fieldsOf } from "../../lib/fields";
import { questionsOf } from "./request";
import { useRemembered } from "./useRemembered";

interface Props {
  approval: PendingApproval;
  first?: boolean | undefined;
}

const NONE: ReadonlyMap<string, string> = new Map();

/** Questions that Codex asks in the middle of its work. */
export function QuestionsCard({ approval, first }: Props) {
  const request = fieldsOf(approval.request);
  const questions = questionsOf(request);
  const [given, setGiven] = useRemembered<Readonly<Record<string, Given>>>(`${approval.approval_id}.given`, {});
  const [objections, setObjections] = useState(NONE);
  const answers = (): Parts | undefined => {
    const gathered = gather(questions, given);
    setObjections(gathered.objections);
    return gathered.objections.size === 0 ? { answers: gathered.answers } : undefined;
  };
  const patience = request["autoResolutionMs"];
  return (
    <Frame approval={approval} first={first} gather={answers}>
      {questions.map((question) => (
        <QuestionField
          key={question.id}
          question={question}
          given={given[question.id] ?? { text: "" }}
          objection={objections.get(question.id)}
          onGive={(one) => setGiven((all) => ({ ...all, [question.id]: one }))}
        />
      ))}
      {typeof patience === "number" ? (
        <p className={styles.note}>Without an answer it goes on by itself after {Math.round(patience / 1_000)} seconds.</p>
      ) : null}
    </Frame>
  );
}
