import { describe, expect, it } from "vitest";
import { added, handledIn } from "../../../src/dashboard/app/pages/people/bulk/slices.ts";
import { MOST_IDS, sliceOf } from "../../../src/dashboard/app/pages/people/bulk/target.ts";
import { MOST_IDS as MOST_OF_THE_API } from "../../../src/lib/contract/admin/email/people/contacts.ts";

describe("an act on many contacts", () => {
  it("asks for the search of the page, with its cursor from the second slice on", () => {
    const search = {
      q: "ada",
      subscribed: "false",
      suppressed: "true",
      filter: '{"match":"all"}',
      cursor: "of the page",
    };
    const fields = { q: "ada", subscribed: false, suppressed: true, filter: { match: "all" } };
    expect(sliceOf({ search }, undefined)).toEqual({ fields, next: undefined });
    expect(sliceOf({ search }, "c1")).toEqual({ fields: { ...fields, cursor: "c1" }, next: undefined });
  });

  it("asks for all contacts in so many words, where nothing narrows the search", () => {
    expect(sliceOf({ search: { team: "acme" } }, undefined).fields).toEqual({ all: true });
  });

  it("asks for as many ids as one request takes", () => {
    expect(MOST_IDS).toBe(MOST_OF_THE_API);
    const ids = Array.from({ length: MOST_IDS + 1 }, (_, n) => `con_${n}`);
    const first = sliceOf({ ids }, undefined);
    expect(first).toEqual({ fields: { ids: ids.slice(0, MOST_IDS) }, next: `${MOST_IDS}` });
    expect(sliceOf({ ids }, first.next ?? undefined)).toEqual({ fields: { ids: [`con_${MOST_IDS}`] }, next: null });
  });

  it("adds its slices up", () => {
    const one = added(undefined, { contacts: 3, changed: 2, unchanged: [{ reason: "No.", count: 1 }], next: "a" });
    const both = added(one, { contacts: 2, changed: 0, unchanged: [{ reason: "No.", count: 2 }], next: null });
    expect(both).toEqual({ contacts: 5, changed: 2, unchanged: { "No.": 3 }, next: null });
    expect(handledIn(both)).toBe(5);
  });
});
