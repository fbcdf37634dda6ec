import { expect, test } from "vitest";
import { causeOf } from "../../../../src/outbox/operator/cause.ts";

test.each([
  [
    'No id in LISTS for the mailing list "vip": GET /v1/lists lists the ids.',
    'No id in LISTS for the mailing list "vip": GET /v1/lists lists the ids.',
  ],
  ["422: the contact usr_1042 (ada@example.com) is gone", "#: the contact # ((address)) is gone"],
  ["/v12/lists/lst_9", "/v12/lists/#"],
  ["v1 of cus_7 at 10:30:05.2", "# of # at #"],
])("%s", (message, cause) => {
  expect(causeOf({ message, state: "failed" })).toBe(cause);
});
