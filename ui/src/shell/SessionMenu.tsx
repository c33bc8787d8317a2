import { Archive, ArchiveRestore, Ellipsis, GitFork, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { forkAndOpen } from "../lib/forkAndOpen";
import { attempt } from "../lib/notices";
import { archive } from "../model/actions";
import { Menu, type MenuItem } from "../parts/Menu";
import { DeleteDialog } from "./DeleteDialog";
import type { KnownSession } from "./known";
import { RenameDialog } from "./RenameDialog";

interface Props {
  session: KnownSession;
  title: string;
  /** What else can be done where it stands. */
  more?: readonly MenuItem[];
  icon?: ReactNode;
  className?: string | undefined;
}

/** What can be done with a session as a whole. */
export function SessionMenu({ session, title, more = [], icon = <Ellipsis size={16} aria-hidden />, className }: Props) {
  const [asked, setAsked] = useState<"rename" | "delete">();
  const away = session.archived ?? false;
  const items: MenuItem[] = [
    { label: "Rename", icon: <Pencil size={14} aria-hidden />, act: () => setAsked("rename") },
    { label: "Fork", icon: <GitFork size={14} aria-hidden />, act: () => void forkAndOpen(session.id) },
    ...more,
    {
      label: away ? "Take out of the archive" : "Archive",
      icon: away ? <ArchiveRestore size={14} aria-hidden /> : <Archive size={14} aria-hidden />,
      act: () => void attempt("It was not archived", () => archive(session.id, !away)),
    },
    { label: "Delete", danger: true, icon: <Trash2 size={14} aria-hidden />, act: () => setAsked("delete") },
  ];
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu label={`Actions for ${title}`} icon={icon} items={items} className={className} />
      {asked === "rename" && <RenameDialog session={session} onClose={close} />}
      {asked === "delete" && <DeleteDialog id={session.id} title={title} worktree={session.worktree ?? undefined} onClose={close} />}
    </>
  );
}
