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
  ["preferences", "do=choose&shown=a&shown=b&list=b&list=c", choose({ a: false, b: true })],
  ["preferences", "do=choose", choose({})],
  ["preferences", "do=unsubscribe&list=a&shown=a", { do: "unsubscribe" }],
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
