// The pictures of a message that was taken back: the gateway has them, the composer needs them as they were.
import { newKey } from "../../api/client";
import type { InputPart } from "../../api/types";
import type { Picture } from "../composer/drafts";
import { dataUrl } from "../composer/pictures";

export async function picturesOf(session: string, input: readonly InputPart[]): Promise<Picture[]> {
  const found = await Promise.all(input.map((part) => (part.type === "image" ? picture(session, part.sha256) : undefined)));
  return found.filter((one) => one !== undefined);
}

async function picture(session: string, sha256: string): Promise<Picture | undefined> {
  try {
    const response = await fetch(`/v1/sessions/${encodeURIComponent(session)}/files/${sha256}`, { credentials: "same-origin" });
    if (!response.ok) return undefined;
    return { id: newKey(), name: "Picture", url: await dataUrl(await response.blob()) };
  } catch {
    return undefined;
  }
}
