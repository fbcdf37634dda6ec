import type { Shot } from "./requests.ts";

const put = (path: string, body: object): Shot => ({
  wait: 100,
  method: path === "/contacts/update" ? "PUT" : "POST",
  path,
  headers: { "Content-Type": "application/json", "Idempotency-Key": "key-1" },
  body: JSON.stringify(body),
});

/**
 * Requests that found a bug, shortened by hand. They are from code with a check removed on purpose: the date range,
 * the transaction.
 */
export const cases: readonly (readonly Shot[])[] = [
  [put("/events/send", { userId: "u1", eventName: "signedUp", contactProperties: { renewsAt: -3.24e286 } })],
  [put("/contacts/update", { userId: "u1", fresh: "created first", plan: 4 })],
  [put("/transactional", { transactionalId: "tpl_none", email: "new@example.com", addToAudience: true })],
];
