import { unsubscribeReasons } from "../../../lib/contract/admin/email/campaigns/statistics.ts";
import type { LinkKind, RecipientAction } from "../../types/recipient.ts";

const BUTTONS: Readonly<Record<LinkKind, readonly string[]>> = {
  unsubscribe: ["leave", "unsubscribe", "undo"],
  preferences: ["unsubscribe", "resubscribe"],
  confirm: ["confirm", "reject"],
};

/**
 * Reads the action of a POST. An unsubscribe link ignores other bodies: `List-Unsubscribe=One-Click` has two encodings
 * (RFC 8058). `body` is undefined if too large.
 */
export const actionOf = (kind: LinkKind, body: string | undefined): RecipientAction | undefined => {
  const form = new URLSearchParams(body ?? "");
  const action = form.get("do") ?? "";
  if (BUTTONS[kind].includes(action)) return { do: action } as RecipientAction;
  if (kind === "unsubscribe") {
    const reason = unsubscribeReasons.find((one) => one === form.get("why"));
    return reason === undefined ? { do: "leave" } : { do: "answer", reason };
  }
  if (kind !== "preferences") return undefined;
  const [joined, left] = [form.get("on"), form.get("off")];
  const list = joined ?? left;
  return list === null ? undefined : { do: "choose", lists: Object.fromEntries([[list, joined !== null]]) };
};
