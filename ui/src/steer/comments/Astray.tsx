import { CommentNote } from "./CommentNote";
import { useComments } from "./comments";
import { CHANGES } from "./place";

/** Comments on files that the diff does not have any more. */
export function Astray({ session, paths }: { session: string; paths: ReadonlySet<string> }) {
  const those = useComments(session).filter(({ where, path }) => where === CHANGES && !paths.has(path));
  return those.map(({ id }) => <CommentNote key={id} session={session} id={id} gone withPath />);
}
