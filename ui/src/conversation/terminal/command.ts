// The command that a person would have typed: Codex wraps it into a shell's `-lc`.

export function innerCommand(command: string): string {
  const words = shellWords(command);
  const [shell, flag, inner] = words ?? [];
  if (words?.length === 3 && inner !== undefined && /(^|\/)(ba|z|da|k)?sh$/.test(shell ?? "") && /^-[lic]*c$/.test(flag ?? "")) {
    return inner;
  }
  return command;
}

/** The words of a line, without their quotes; nothing if a quote is left open. */
function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (letter === "'" || letter === '"') {
      const end = closing(line, at, letter);
      if (end < 0) return undefined;
      const inside = line.slice(at + 1, end);
      word = (word ?? "") + (letter === '"' ? inside.replace(/\\(["\\$`])/g, "$1") : inside);
      at = end;
    } else if (letter === "\\") {
      word = (word ?? "") + (line[++at] ?? "");
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? "") + letter;
    }
  }
  if (word !== undefined) words.push(word);
  return words;
}

function closing(line: string, from: number, quote: string): number {
  for (let at = from + 1; at < line.length; at++) {
    if (quote === '"' && line[at] === "\\") at++;
    else if (line[at] === quote) return at;
  }
  return -1;
}
