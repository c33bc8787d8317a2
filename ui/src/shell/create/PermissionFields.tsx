import { MODES, SANDBOXES } from "../words";
import type { FormPart } from "./parts";
import rows from "./rows.module.css";
import { SelectField } from "./SelectField";

/** What it may do: when it asks, and what its commands can reach. */
export function PermissionFields({ choices, faults, choose }: FormPart) {
  const free = choices.mode === "bypassPermissions" && choices.sandbox === "danger-full-access";
  return (
    <div className={rows["two"]}>
      <SelectField label="Permissions" value={choices.mode} options={MODES} error={faults.mode} onChange={(mode) => choose({ mode })} />
      <SelectField label="Sandbox" value={choices.sandbox} options={SANDBOXES} error={faults.sandbox} onChange={(sandbox) => choose({ sandbox })} />
      {free && (
        <p className={rows["warning"]} role="status">
          Nothing asks, and nothing holds it back: it can delete your files and send them elsewhere.
        </p>
      )}
    </div>
  );
}
