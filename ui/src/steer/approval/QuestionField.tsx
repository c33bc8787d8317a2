import { useId } from "react";
import { Field } from "../../parts/Field";
import input from "../../parts/input.module.css";
import styles from "./Choice.module.css";
import type { Given } from "./questions";
import type { Question } from "./request";

interface Props {
  question: Question;
  given: Given;
  objection: string | undefined;
  onGive(given: Given): void;
}

/** One question: options, a text of one's own, or a secret. */
export function QuestionField({ question, given, objection, onGive }: Props) {
  const name = useId();
  const { options, isOther, isSecret, header } = question;
  const type = isSecret ? "password" : "text";
  const help = header && header !== question.question ? header : undefined;
  if (options.length === 0) {
    return (
      <Field label={question.question} help={help} error={objection}>
        {(ids) => (
          <input
            {...ids}
            type={type}
            autoComplete="off"
            className={input["input"]}
            value={given.text}
            onChange={(event) => onGive({ text: event.target.value })}
          />
        )}
      </Field>
    );
  }
  return (
    <Field label={question.question} help={help} error={objection} group>
      {() => (
        <>
          {options.map(({ label, description }) => (
            <label key={label} className={styles.choice}>
              <input type="radio" name={name} checked={given.choice === label} onChange={() => onGive({ ...given, choice: label })} />
              <span>{label}</span>
              {description ? <span className={styles.description}>{description}</span> : null}
            </label>
          ))}
          {isOther ? (
            <input
              type={type}
              autoComplete="off"
              aria-label="Something else"
              placeholder="Something else"
              className={input["input"]}
              value={given.text}
              onChange={(event) => onGive({ text: event.target.value })}
            />
          ) : null}
        </>
      )}
    </Field>
  );
}
