import { expect, it } from "vitest";
import { actionOf } from "../../../../../src/email/http/recipient/action.ts";
import type { LinkKind, RecipientAction } from "../../../../../src/email/types/recipient.ts";

const choose = (lists: Record<string, boolean>): RecipientAction => ({ do: "choose", lists });

it.each<[LinkKind, string | undefined, RecipientAction | undefined]>([
  ["unsubscribe", "List-Unsubscribe=One-Click", { do: "leave" }],
  [
    "unsubscribe",
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--',
    { do: "leave" },
  ],
  ["unsubscribe", "", { do: "leave" }],
  ["unsubscribe", undefined, { do: "leave" }],
  ["unsubscribe", "do=leave", { do: "leave" }],
  ["unsubscribe", "do=unsubscribe", { do: "unsubscribe" }],
  ["unsubscribe", "do=resubscribe", { do: "leave" }],
  ["unsubscribe", "do=undo", { do: "undo" }],
  ["unsubscribe", "why=too_many", { do: "answer", reason: "too_many" }],
  ["unsubscribe", "why=constructor", { do: "leave" }],
  ["preferences", "on=lst_1", choose({ lst_1: true })],
  ["preferences", "off=lst_1", choose({ lst_1: false })],
  ["preferences", "on=__proto__", choose(Object.fromEntries([["__proto__", true]]))],
  ["preferences", "do=unsubscribe&on=lst_1", { do: "unsubscribe" }],
  ["preferences", "do=choose", undefined],
  ["preferences", "why=too_many", undefined],
  ["preferences", "do=undo", undefined],
  ["preferences", "do=resubscribe", { do: "resubscribe" }],
  ["preferences", "do=confirm", undefined],
  ["preferences", "List-Unsubscribe=One-Click", undefined],
  ["preferences", undefined, undefined],
  ["confirm", "do=confirm", { do: "confirm" }],
  ["confirm", "do=constructor", undefined],
  ["confirm", "", undefined],
])("a POST to the %s page with %j", (kind, body, action) => {
  expect(actionOf(kind, body)).toEqual(action);
});
