import { expect, it } from "vitest";
import { pageWords } from "../../../src/dashboard/app/api/page-words.ts";

const local = (at: string) =>
  new Date(at).toLocaleString("en", { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" });

it.each([
  [
    'There is no campaign with the id "cmp_1". GET /v1/campaigns lists them.',
    'There is no campaign with the id "cmp_1".',
  ],
  ["There is no such team. Create it first: POST /admin/teams.", "There is no such team."],
  ["GET /v1/lists gives them.", "GET /v1/lists gives them."],
  ["It is POST that is meant. Not a path.", "It is POST that is meant. Not a path."],
  ["", ""],
])("leaves out sentences that name a request, but not all: %s", (text, said) => {
  expect(pageWords(text)).toBe(said);
});

it("says the end of a session for a person", () => {
  expect(pageWords("You are not logged in, or your session has ended. Log in: POST /api/session.")).toBe(
    "You are not logged in, or your session has ended.",
  );
});

it("gives times in the zone of the browser", () => {
  const [from, to] = ["2026-11-24T20:31:43.686Z", "2026-11-27T20:34:00Z"];
  expect(pageWords(`It began at ${from}. It is due at 2026-11-27 20:34 UTC, or 2026-11-27 20:34:59 UTC.`)).toBe(
    `It began at ${local(from)}. It is due at ${local(to)}, or ${local(to)}.`,
  );
});
