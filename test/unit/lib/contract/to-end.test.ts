import { expect, it } from "vitest";
import { askToEnd } from "../../../../src/lib/contract/admin/to-end.ts";

it("asks on until an answer is at its end, and tells each answer before that", async () => {
  const [asked, parts]: [object[], number[]] = [[], []];
  const answers = [
    { next: "a", recipients: 1 },
    { next: "b", recipients: 2 },
    { next: null, recipients: 3 },
  ];
  const last = await askToEnd(
    async (more) => {
      asked.push(more);
      return answers[asked.length - 1] ?? expect.fail();
    },
    ({ recipients }) => parts.push(recipients),
  );
  expect([asked, parts, last.recipients]).toEqual([[{}, { cursor: "a" }, { cursor: "b" }], [1, 2], 3]);
});

it("ends with an answer of a service of before, which has no next", async () => {
  expect(await askToEnd(async () => ({ recipients: 3 }) as { recipients: number; next?: string })).toEqual({
    recipients: 3,
  });
});
