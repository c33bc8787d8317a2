// Who said or answered something, if that is worth telling: `name/surface`, and the page itself is `…/http` with the gateway's own token.

const OWN = new Set(["anyone", "local", "own"]);

export function otherSender(sender: string | undefined): string | undefined {
  if (!sender) return undefined;
  const [name, surface] = sender.split("/");
  return surface === "http" && OWN.has(name ?? "") ? undefined : sender;
}
