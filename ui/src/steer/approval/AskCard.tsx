import type { PendingApproval } from "../../api/types";
import { placeOfApproval } from "../comments/place";
import { useRemarks } from "../comments/useRemarks";
import styles from "./Body.module.css";
import { Changes } from "./Changes";
import { CommandBody } from "./CommandBody";
import { Frame } from "./Frame";
import { Permissions } from "./Permissions";
import { fieldsOf, textOf } from "../../lib/fields";
import { type Change } from "../../diff/parse";
import { commandRequest } from "./request";
import { rulesOf } from "./rules";
import { useChanges } from "./useChanges";

interface Props {
  approval: PendingApproval;
  first?: boolean | undefined;
  changes?: readonly Change[] | undefined;
}

/** A yes or no: about a command, a change of files, or permissions. */
export function AskCard({ approval, first, changes }: Props) {
  const found = useChanges(approval, changes);
  const place = placeOfApproval(approval);
  const remarks = useRemarks(approval.session_id, place);
  const request = fieldsOf(approval.request);
  const reason = textOf(request["reason"]);
  if (approval.kind === "command") {
    const command = commandRequest(request);
    return (
      <Frame approval={approval} first={first} rules={rulesOf(command)}>
        <CommandBody request={command} />
      </Frame>
    );
  }
  const root = textOf(request["grantRoot"]);
  const cwd = textOf(request["cwd"]);
  return (
    <Frame approval={approval} first={first} remarks={remarks}>
      {reason ? <p className={styles.reason}>{reason}</p> : null}
      {approval.kind === "permissions" ? <Permissions profile={fieldsOf(request["permissions"])} /> : <Changes found={found} session={approval.session_id} place={place} />}
      {root ? (
        <p className={styles.note}>
          It asks to write everything below <code>{root}</code> from now on.
        </p>
      ) : null}
      {cwd ? (
        <dl className={styles.facts}>
          <dt>In</dt>
          <dd>
            <code>{cwd}</code>
          </dd>
        </dl>
      ) : null}
    </Frame>
  );
}
