// Pictures that go with a message: which may, and how they are read.
import { newKey } from "../../api/client";
import type { Picture } from "./drafts";

const TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"];
export const ACCEPT = TYPES.join(",");

const MB = 1024 * 1024;
const LARGEST = 10 * MB;
/** The gateway takes 32 MB a request, and base64 makes four bytes of three. */
const ALL_TOGETHER = 20 * MB;

/** How many bytes the picture of a `data:` address has. */
export const bytesOf = (url: string): number => Math.floor(((url.length - url.indexOf(",") - 1) * 3) / 4);

/** Why a file cannot be sent, or nothing. */
export function objection(file: { name: string; type: string; size: number }, already: readonly Picture[]): string | undefined {
  const name = file.name || "This file";
  if (!TYPES.includes(file.type)) return `${name} cannot be sent: only PNG, JPEG, GIF and WebP pictures can.`;
  if (file.size > LARGEST) {
    return `${name} has ${(file.size / MB).toFixed(1)} MB, and a picture may have 10 MB. Make it smaller.`;
  }
  const together = already.reduce((sum, picture) => sum + bytesOf(picture.url), file.size);
  if (together > ALL_TOGETHER) return `${name} is too much: all pictures of a message may have 20 MB. Send it with the next one.`;
  return undefined;
}

export interface Read {
  pictures: Picture[];
  objections: string[];
}

export async function readPictures(files: readonly File[], already: readonly Picture[]): Promise<Read> {
  const pictures: Picture[] = [];
  const objections: string[] = [];
  for (const file of files) {
    const why = objection(file, [...already, ...pictures]);
    if (why) objections.push(why);
    else pictures.push({ id: newKey(), name: file.name || "Pasted picture", url: await dataUrl(file) });
  }
  return { pictures, objections };
}

export function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error("the file cannot be read"));
    reader.readAsDataURL(file);
  });
}
