import type { PatchSession, Settings } from "../../api/types";
import { attempt } from "../../lib/notices";
import { patchSession } from "../../model/actions";
import { useStore } from "../../model/store";
import { QuietSelect } from "../../parts/QuietSelect";
import { MODES, POLICIES } from "../words";
import { world } from "../world/world";

interface Props {
  id: string;
  settings: Settings | undefined;
}

/** Model, effort and permission mode: changed from the next turn on. */
export function SettingsMenu({ id, settings }: Props) {
  const models = useStore(world, (state) => state.models) ?? [];
  if (!settings) return null;
  const patch = (change: PatchSession) => void attempt("It was not changed", () => patchSession(id, change));
  const standard = models.find(({ is_default }) => is_default);
  const model = models.find((known) => known.id === settings.model) ?? (settings.model ? undefined : standard);
  const efforts = model?.efforts ?? [];
  return (
    <>
      <QuietSelect
        label="Model"
        value={settings.model ?? ""}
        options={withCurrent(models.map(({ id, name }) => ({ value: id, label: name })), settings.model, standard?.name ?? "Standard model")}
        onChange={(model) => model && patch({ model })}
      />
      {efforts.length > 0 && (
        <QuietSelect
          label="Effort"
          value={settings.effort ?? ""}
          options={withCurrent(efforts.map(({ effort }) => ({ value: effort, label: effort })), settings.effort, model?.default_effort ?? "standard")}
          onChange={(effort) => effort && patch({ effort })}
        />
      )}
      <QuietSelect
        label="Permission mode"
        value={settings.permission_mode ?? ""}
        options={withCurrent(MODES, settings.permission_mode, settings.approval_policy ? POLICIES[settings.approval_policy] : "As Codex is set")}
        onChange={(mode) => mode && patch({ permission_mode: mode as NonNullable<Settings["permission_mode"]> })}
      />
    </>
  );
}

/** What is chosen is always among the choices; nothing chosen is shown as what that means. */
function withCurrent(options: readonly { value: string; label: string }[], current: string | null, otherwise: string) {
  if (!current) return [{ value: "", label: otherwise }, ...options];
  return options.some(({ value }) => value === current) ? options : [{ value: current, label: current }, ...options];
}
