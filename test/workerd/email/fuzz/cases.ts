import type { Shot } from "./requests.ts";

const put = (path: string, body: object): Shot => ({
  wait: 100,
  method: path === "/contacts/update" ? "PUT" : "POST",
  path,
  headers: { "Content-Type": "application/json", "Idempotency-Key": "key-1" },
  body: JSON.stringify(body),
});

/**
 * Requests that found a bug, as the fuzz test prints them, shortened by hand. These are from code in which a check was
 * removed on purpose: the range of dates, the transaction around an operation.
 */
export const cases: readonly (readonly Shot[])[] = [
  [put("/events/send", { userId: "u1", eventName: "signedUp", contactProperties: { renewsAt: -3.24e286 } })],
  [put("/contacts/update", { userId: "u1", fresh: "created first", plan: 4 })],
  [put("/transactional", { transactionalId: "tpl_none", email: "new@example.com", addToAudience: true })],
];
