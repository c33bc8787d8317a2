// Markdown cut into pieces that can be understood alone, so that a text that grows costs only its last piece. A cut is made only
// where it changes nothing: at an empty line outside of fences, before a line that begins something new at the margin.

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** What may belong to what stands above an empty line: a list, something indented, a quote, a table's rest, raw HTML. */
const GOES_ON = /^(\s|[-*+]\s|\d+[.)]\s|>|<|\|)/;
/** Names that are defined in one place and used in another: such a text stays whole. */
const NAMES = /^ {0,3}\[[^\]\n]+\]:/m;

export function splitBlocks(text: string): string[] {
  if (NAMES.test(text)) return [text];
  const blocks: string[] = [];
  let from = 0;
  let at = 0;
  let fence: string | undefined;
  let emptyBefore = false;
  while (at < text.length) {
    const newline = text.indexOf("\n", at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) && line.trim() === mark) fence = undefined;
    } else {
      if (emptyBefore && line.trim() !== "" && !GOES_ON.test(line)) {
        blocks.push(text.slice(from, at));
        from = at;
      }
      fence = mark;
    }
    emptyBefore = line.trim() === "";
    at = end + 1;
  }
  if (from < text.length) blocks.push(text.slice(from));
  return blocks;
}
