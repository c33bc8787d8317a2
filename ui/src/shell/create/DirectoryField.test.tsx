import { cleanup, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { gateway } from "../../steer/testing";
import { DirectoryField } from "./DirectoryField";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function Form() {
  const [value, setValue] = useState("/srv/");
  return <DirectoryField value={value} error={undefined} autoFocus={false} onChange={setValue} />;
}

it("has each letter before the next can be typed", () => {
  gateway(() => ({ body: { items: [] } }));
  render(<Form />);
  const field = screen.getByRole<HTMLInputElement>("combobox");
  // As a browser does it: nothing but the event itself, and none of what is done when there is time.
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", false);
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(field, "/srv/p");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  expect(field.value).toBe("/srv/p");
});
