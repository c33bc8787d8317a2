// Answering: once, and with a word when somebody else was first.
import { useState } from "react";
import { Refused, Unreachable } from "../../api/client";
import type { AnswerApproval } from "../../api/types";
import { answerApproval } from "../../model/actions";
import { forgetOwn, rememberOwn } from "./own";

export interface Answering {
  busy: boolean;
  error: string | undefined;
  /** Somebody else was first: nothing more can be done here. */
  over: boolean;
  /** Whether it was taken. */
  answer(answer: AnswerApproval): Promise<boolean>;
}

export function useAnswer(approval: string): Answering {
  const [busy, setBusy] = useState(false);
  const [over, setOver] = useState(false);
  const [error, setError] = useState<string>();
  const give = async (answer: AnswerApproval) => {
    setBusy(true);
    setError(undefined);
    rememberOwn(approval);
    try {
      await answerApproval(approval, answer);
      return true;
    } catch (failure) {
      forgetOwn(approval);
      if (!(failure instanceof Refused || failure instanceof Unreachable)) throw failure;
      setOver(failure instanceof Refused && (failure.code === "already_answered" || failure.code === "not_found"));
      setError(failure.hint ? `${failure.message}; ${failure.hint}` : failure.message);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return {
    busy,
    error,
    over,
    answer: async (answer) => !busy && !over && (await give(answer)),
  };
}
