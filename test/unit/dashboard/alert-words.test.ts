import { expect, it } from "vitest";
import { KINDS } from "../../../src/dashboard/app/pages/alerts/alert-words.ts";
import { placeAt } from "../../../src/dashboard/app/parts/page/navigation.ts";
import { kinds } from "../../../src/outbox/monitor/alert-kinds.ts";

it("has words and a page for each alert of the bridge, and none for another", () => {
  expect(Object.keys(KINDS).sort()).toEqual(Object.keys(kinds).sort());
  for (const [words, to] of Object.values(KINDS)) expect([words.length > 10, placeAt(to)?.to]).toEqual([true, to]);
});
