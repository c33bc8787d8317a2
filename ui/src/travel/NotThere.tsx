import { CircleSlash, History } from "lucide-react";
import { Note } from "../conversation/changes/Note";
import { Button } from "../parts/Button";
import type { Journey } from "./useTravel";

/** An event that cannot be shown: it is still read, it could not be, or it has not happened. */
export function NotThere({ journey: { travel, seq, last, reading, problem } }: { journey: Journey }) {
  if (problem) {
    const words = `${problem.message}; ${problem.hint}.`;
    return <Note title="The session's events could not be read" words={words} action={<Button onClick={() => void travel.read()}>Try again</Button>} />;
  }
  if (reading) return <Note icon={<History size={28} />} title="Reading the session's events" words="" />;
  return (
    <Note
      icon={<CircleSlash size={28} />}
      title={`Event ${seq.toLocaleString()} has not happened`}
      words={`The session has ${last.toLocaleString()} events so far. If it gets there, it is shown here.`}
      action={<Button onClick={() => travel.goTo(last)}>Go to the last event</Button>}
    />
  );
}
