// Terminal output as runs of text with classes: colours are names of the page, so they are right in light and dark.
import Anser from "anser";

export interface Run {
  text: string;
  classes: string[];
  /** Colours that have no name: one of 256, or any. */
  color?: string;
  ground?: string;
}

export function runsOf(output: string): Run[] {
  return Anser.ansiToJson(overwritten(bare(output)), { use_classes: true, json: true, remove_empty: true }).map((part) => {
    const reversed = part.decorations.includes("reverse");
    const [fg, bg] = reversed ? [part.bg, part.fg] : [part.fg, part.bg];
    const [fgTrue, bgTrue] = reversed ? [part.bg_truecolor, part.fg_truecolor] : [part.fg_truecolor, part.bg_truecolor];
    const color = fg ? unnamed(fg, fgTrue) : undefined;
    const ground = bg ? unnamed(bg, bgTrue) : undefined;
    const classes = [...named(fg, ""), ...part.decorations, ...named(bg, "on-")];
    return { text: part.content, classes, ...(color ? { color } : {}), ...(ground ? { ground } : {}) };
  });
}

const named = (name: string | null, before: string): string[] =>
  name && /^ansi-(bright-)?(black|red|green|yellow|blue|magenta|cyan|white)$/.test(name) ? [`${before}${name}`] : [];

/** Titles, links and other things a terminal does not print. */
const UNPRINTED = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[()][0-9A-Za-z]|\u001b[=>78]|\u0007/g;
const bare = (output: string): string => (output.includes("\u001b") ? output.replace(UNPRINTED, "") : output);

/** The words alone, for elsewhere. */
export const plain = (output: string): string => overwritten(bare(output)).replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "");

/** What a carriage return wrote over is gone, as on a terminal: a progress bar is one line. */
export function overwritten(output: string): string {
  if (!output.includes("\r")) return output;
  return output
    .replaceAll("\r\n", "\n")
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r", line.length - 2) + 1).replace(/\r$/, ""))
    .join("\n");
}

function unnamed(name: string, truecolor: string): string | undefined {
  if (name === "ansi-truecolor" && truecolor) return `rgb(${truecolor})`;
  const index = Number(/^ansi-palette-(\d+)$/.exec(name)?.[1] ?? -1);
  if (index < 16) return undefined;
  if (index >= 232) return `rgb(${Array(3).fill(8 + (index - 232) * 10).join(", ")})`;
  const part = (at: number) => (at === 0 ? 0 : 55 + at * 40);
  const cube = index - 16;
  return `rgb(${part(Math.floor(cube / 36))}, ${part(Math.floor(cube / 6) % 6)}, ${part(cube % 6)})`;
}
