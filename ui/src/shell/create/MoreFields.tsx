import { ChevronRight } from "lucide-react";
import { useStore } from "../../model/store";
import { LabelsField } from "../labels/LabelsField";
import { BUSY } from "../words";
import { world } from "../world/world";
import styles from "./MoreFields.module.css";
import type { FormPart } from "./parts";
import rows from "./rows.module.css";
import { SelectField } from "./SelectField";
import { TextField } from "./TextField";

type Kind = "codex" | "rehearsal";

const BACKENDS: Record<Kind, { label: string; help: string }> = {
  codex: { label: "Codex", help: "The real one." },
  rehearsal: { label: "Rehearsal", help: "A script answers: no model is asked." },
};

/** What most people leave as it is. */
export function MoreFields({ choices, faults, choose }: FormPart) {
  const backends = useStore(world, (state) => state.backends) ?? [];
  const standard = backends.find(({ is_default }) => is_default)?.kind;
  const named = (kind: string): Kind => (kind === "rehearsal" ? "rehearsal" : "codex");
  const wrong = faults.worktree ?? faults.name ?? faults.labels ?? faults.busy ?? faults.instructions ?? faults.backend;
  return (
    <details className={styles.more} open={wrong !== undefined || choices.worktree !== "" || undefined}>
      <summary className={styles.summary}>
        <ChevronRight size={14} aria-hidden /> Worktree, name, labels, instructions
      </summary>
      <div className={styles.fields}>
        <div className={rows["two"]}>
          <TextField
            label="Worktree branch"
            placeholder="feature/login"
            help="A git worktree of its own on this branch, so that sessions do not disturb each other."
            value={choices.worktree}
            error={faults.worktree}
            onChange={(worktree) => choose({ worktree })}
          />
          <TextField
            label="Name"
            help="Else the first words of the first message."
            value={choices.name}
            error={faults.name}
            onChange={(name) => choose({ name })}
          />
        </div>
        <div className={rows["two"]}>
          <SelectField label="When it is busy" value={choices.busy} options={BUSY} error={faults.busy} onChange={(busy) => choose({ busy })} />
          {backends.length > 1 && (
            <SelectField
              label="Who answers"
              value={choices.backend || named(standard ?? "codex")}
              options={backends.map(({ kind, found, problem }) => ({
                value: named(kind),
                label: found ? BACKENDS[named(kind)].label : `${BACKENDS[named(kind)].label} (missing)`,
                help: problem ?? BACKENDS[named(kind)].help,
              }))}
              error={faults.backend}
              onChange={(backend) => choose({ backend: backend === standard ? "" : backend })}
            />
          )}
        </div>
        <LabelsField labels={choices.labels} error={faults.labels} onChange={(labels) => choose({ labels })} />
        <TextField
          label="Instructions"
          lines={3}
          placeholder="Always run the tests before you say that you are done."
          help="Said to the agent once, beside Codex's own instructions and AGENTS.md."
          value={choices.instructions}
          error={faults.instructions}
          onChange={(instructions) => choose({ instructions })}
        />
      </div>
    </details>
  );
}
