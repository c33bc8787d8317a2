import { useStore } from "../../model/store";
import { world } from "../world/world";
import rows from "./rows.module.css";
import type { FormPart } from "./parts";
import { SelectField } from "./SelectField";

/** Which model, and how hard it thinks: what can be chosen depends on the model. */
export function ModelFields({ choices, faults, choose }: FormPart) {
  const models = useStore(world, (state) => state.models) ?? [];
  const standard = models.find(({ is_default }) => is_default);
  const model = models.find(({ id }) => id === choices.model) ?? standard;
  const modelChoices = [
    { value: "", label: standard ? `${standard.name} (standard)` : "Standard", help: standard?.description ?? "" },
    ...models.filter((known) => known !== standard).map(({ id, name, description }) => ({ value: id, label: name, help: description ?? "" })),
  ];
  const effortChoices = [
    { value: "", label: model?.default_effort ? `${model.default_effort} (standard)` : "Standard" },
    ...(model?.efforts ?? [])
      .filter(({ effort }) => effort !== model?.default_effort)
      .map(({ effort, description }) => ({ value: effort, label: effort, help: description ?? "" })),
  ];
  const has = (options: readonly { value: string }[], value: string) => options.some((option) => option.value === value);
  return (
    <div className={rows["two"]}>
      <SelectField
        label="Model"
        value={has(modelChoices, choices.model) ? choices.model : ""}
        options={modelChoices}
        error={faults.model}
        onChange={(model) => choose({ model, effort: "" })}
      />
      <SelectField
        label="Effort"
        value={has(effortChoices, choices.effort) ? choices.effort : ""}
        options={effortChoices}
        error={faults.effort}
        onChange={(effort) => choose({ effort })}
      />
    </div>
  );
}
