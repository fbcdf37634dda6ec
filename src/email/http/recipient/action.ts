import type { LinkKind, RecipientAction } from "../../types/recipient.ts";

const BUTTONS: Readonly<Record<LinkKind, readonly string[]>> = {
  unsubscribe: ["leave", "unsubscribe"],
  preferences: ["choose", "unsubscribe", "resubscribe"],
  confirm: ["confirm", "reject"],
};

/**
 * Reads the action of a POST. An unsubscribe link ignores the body: `List-Unsubscribe=One-Click` has two encodings
 * (RFC 8058). `body` is undefined if too large.
 */
export const actionOf = (kind: LinkKind, body: string | undefined): RecipientAction | undefined => {
  const form = new URLSearchParams(body ?? "");
  const action = form.get("do") ?? "";
  if (!BUTTONS[kind].includes(action)) return kind === "unsubscribe" ? { do: "leave" } : undefined;
  if (action !== "choose") return { do: action } as RecipientAction;
  const ticked = new Set(form.getAll("list"));
  return { do: "choose", lists: Object.fromEntries(form.getAll("shown").map((id) => [id, ticked.has(id)])) };
};
