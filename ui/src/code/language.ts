// What a file is written in, by its name. The highlighter knows most languages by their files' endings.

const WHOLE: Record<string, string> = { makefile: "makefile", "cargo.lock": "toml", ".gitconfig": "ini", ".bashrc": "bash", ".npmrc": "ini" };

export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.lastIndexOf(".");
  return WHOLE[name] ?? (ending > 0 ? name.slice(ending + 1) : undefined);
}
