import type { LinkKind, RecipientAction } from "../../types/recipient.ts";

/** Actions that each page has a button for. */
const BUTTONS: Readonly<Record<LinkKind, readonly string[]>> = {
  unsubscribe: ["leave", "unsubscribe"],
  preferences: ["choose", "unsubscribe", "resubscribe"],
  confirm: ["confirm", "reject"],
};

/**
 * What a POST asks for. `body`: the form; undefined when it is too large. An unsubscribe link always unsubscribes, whatever the
 * body is: a mail program sends `List-Unsubscribe=One-Click` in one of two encodings (RFC 8058). Undefined when another page's form has no action.
 */
export const actionOf = (kind: LinkKind, body: string | undefined): RecipientAction | undefined => {
  const form = new URLSearchParams(body ?? "");
  const action = form.get("do") ?? "";
  if (!BUTTONS[kind].includes(action)) return kind === "unsubscribe" ? { do: "leave" } : undefined;
  if (action !== "choose") return { do: action } as RecipientAction;
  const ticked = new Set(form.getAll("list"));
  return { do: "choose", lists: Object.fromEntries(form.getAll("shown").map((id) => [id, ticked.has(id)])) };
};
