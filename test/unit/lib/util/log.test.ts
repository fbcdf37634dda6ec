import { expect, it, vi } from "vitest";
import { log } from "../../../../src/lib/util/log.ts";

it("writes one JSON line without email addresses and without the quoted part of an error", () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, "log").mockImplementation((line: string) => void lines.push(line));
  let error = "";
  try {
    JSON.parse('{"email":"ada@example.com", "name": Ada}');
  } catch (thrown) {
    error = (thrown as Error).message;
  }
  log("failed", { id: "wh_1", tries: 2, nothing: undefined, error, message: '<Ada+x@Example.co.uk>, "bob@b.c": no' });
  log("failed", { error: 'Unexpected token, "{"a":"b", Ada}" is not valid' });
  spy.mockRestore();
  expect(lines).toHaveLength(2);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    event: "failed",
    id: "wh_1",
    tries: 2,
    message: '<[address]>, "[address]": no',
    error: expect.stringContaining('"…"'),
  });
  expect(lines.join()).not.toMatch(/ada|bob/i);
});
