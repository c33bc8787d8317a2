// The pictures in what an agent made, looked at or was given. They are shown from the gateway's own files, or from the bytes that
// stand in the item itself; nothing is ever fetched from elsewhere.
import { attachment } from "../../model/files";
import { type Fields, fieldsOf, isFields, listOf, textOf } from "../../lib/fields";

export interface Shown {
  src: string;
  alt: string;
}

const DATA = /^data:image\/(png|jpeg|gif|webp|svg\+xml)[;,]/i;
/** How the bytes of each kind begin, in base64. */
const BEGINNINGS: [begin: string, kind: string][] = [
  ["iVBOR", "png"],
  ["/9j/", "jpeg"],
  ["R0lGOD", "gif"],
  ["UklGR", "webp"],
];

/** Where the bytes of a picture can be shown from; nothing if they are no picture. */
export function ofBytes(base64: string | undefined): string | undefined {
  const kind = BEGINNINGS.find(([begin]) => base64?.startsWith(begin))?.[1];
  return kind && `data:image/${kind};base64,${base64}`;
}

/** A file that a message brought lies in the gateway's store under its SHA-256, whoever looks at it. */
export function ofPath(sessionId: string, path: string | undefined): string | undefined {
  const sha256 = /(?:^|\/)([0-9a-f]{64})$/.exec(path ?? "")?.[1];
  return sha256 && attachment(sessionId, sha256);
}

/** The parts of a tool's answer, as Codex, MCP servers and callers write them. */
export const partsOf = (answer: unknown): unknown[] => (Array.isArray(answer) ? answer : listOf(fieldsOf(answer)["content"]));

export function ofPart(part: unknown): string | undefined {
  if (!isFields(part)) return undefined;
  const address = textOf(part["imageUrl"]) ?? textOf(part["image_url"]) ?? textOf(part["url"]);
  if (address && DATA.test(address)) return address;
  return ofBytes(bytesIn(part));
}

/** The bytes that a part of an answer carries, of whatever kind. */
function bytesIn(part: Fields): string | undefined {
  return textOf(part["data"]) ?? textOf(fieldsOf(part["resource"])["blob"]);
}

export const picturesOf = (answer: unknown, alt: string): Shown[] =>
  partsOf(answer).flatMap((part) => {
    const src = ofPart(part);
    return src ? [{ src, alt }] : [];
  });

/** An answer to read: the bytes of its pictures are shown above it, and only counted here. */
export function withoutBytes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBytes);
  if (typeof value === "string") return value.length > 2_000 && (DATA.test(value) || ofBytes(value)) ? counted(value) : value;
  if (!isFields(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutBytes(inner)]));
}

const counted = (base64: string): string => `(picture, ${Math.max(1, Math.round((base64.length * 3) / 4 / 1024))} KB)`;
