import { Archive, ArchiveRestore, Ellipsis, GitFork, Pencil, Tag, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { forkAndOpen } from "../lib/forkAndOpen";
import { attempt } from "../lib/notices";
import { archive } from "../model/actions";
import { Menu, type MenuItem } from "../parts/Menu";
import { DeleteDialog } from "./DeleteDialog";
import type { KnownSession } from "./known";
import { LabelsDialog } from "./labels/LabelsDialog";

interface Props {
  session: KnownSession;
  title: string;
  /** Its name becomes a field, where it stands. */
  onRename(): void;
  /** What else can be done where it stands. */
  more?: readonly MenuItem[];
  icon?: ReactNode;
  className?: string | undefined;
}

/** What can be done with a session as a whole. */
export function SessionMenu({ session, title, onRename, more = [], icon = <Ellipsis size={16} aria-hidden />, className }: Props) {
  const [asked, setAsked] = useState<"labels" | "delete">();
  const away = session.archived ?? false;
  const items: MenuItem[] = [
    { label: "Rename", icon: <Pencil size={14} aria-hidden />, act: onRename },
    { label: "Labels", icon: <Tag size={14} aria-hidden />, act: () => setAsked("labels") },
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
      {asked === "labels" && <LabelsDialog session={session} title={title} onClose={close} />}
      {asked === "delete" && <DeleteDialog id={session.id} title={title} worktree={session.worktree ?? undefined} onClose={close} />}
    </>
  );
}
