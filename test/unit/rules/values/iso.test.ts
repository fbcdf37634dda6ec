import { expect, test } from "vitest";
import { iso } from "../../../../src/rules/values/iso.ts";

test("iso gives every time in one form", () => {
  expect(iso("2025-11-12T12:00:00.418922Z")).toBe("2025-11-12T12:00:00.418Z");
  expect(iso("2025-11-12T07:00:00-05:00")).toBe("2025-11-12T12:00:00.000Z");
  expect([iso(null), iso(undefined), iso("")]).toEqual([null, undefined, null]);
  expect(() => iso("yesterday")).toThrow("not an ISO 8601 time");
});
