import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GuessedFrom } from "../../../../src/rules/types.ts";
import { createBench, update } from "../setup.ts";

const ada = { email: "ada@example.com" };

/** An update of the first name, as a rule plans it. */
const named = (firstName: string, from?: GuessedFrom) => ({
  ...update(ada, { firstName }),
  ...(from ? { guesses: { firstName: from } } : {}),
});

describe("a guessed name", () => {
  it("never replaces a better one, in any order of arrival; of equally good ones the newest wins", async () => {
    // In the order in which they happen.
    const calls = [
      named("Ada"),
      named("Augusta"),
      named("Augusta Ada", "account"),
      named("Lovelace", "account"),
      named("A", "purchase"),
      named("MRS", "purchase"),
    ];
    const bestFirst = [1, 0, 3, 2, 5, 4];
    const names = ["Ada", "Augusta", "Augusta Ada", "Lovelace", "A", "MRS"];
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 2 }), async (places) => {
        const bench = await createBench();
        for (const place of places) {
          const webhook = { occurredAt: place * 1_000, calls: calls.slice(place, place + 1) };
          const [call] = await bench.calls((await bench.accept(webhook)).id);
          expect(["done", "superseded"]).toContain(call?.state);
        }
        expect(bench.host.acted.at(-1)?.body).toMatchObject({
          firstName: names[bestFirst.find((place) => places.includes(place)) ?? 0],
        });
      }),
      { numRuns: 40 },
    );
  });

  it("is written again after the contact was deleted, with the better name", async () => {
    const bench = await createBench();
    const gone = { rule: "delete", action: "delete" as const, contact: ada, key: "key-gone", removes: true as const };
    await bench.calls((await bench.accept({ occurredAt: 1_000, calls: [named("Ada")] })).id);
    await bench.calls((await bench.accept({ occurredAt: 2_000, calls: [gone] })).id);
    const guess = await bench.accept({ occurredAt: 3_000, calls: [named("A", "purchase")] });
    expect(await bench.calls(guess.id)).toMatchObject([{ state: "done" }]);
  });

  it("does not replace the name of an account that was last seen before the retention", async () => {
    const bench = await createBench();
    await bench.accept({ links: [{ userId: "u1", email: ada.email }] });
    const { id } = await bench.accept({ occurredAt: 1_000, calls: [named("Ada")] });
    await bench.calls(id);
    bench.host.offset = 60 * 86_400_000;
    await bench.ring();
    await bench.waitFor(async () => expect(await bench.read(id)).toBeNull());
    const guess = await bench.accept({ occurredAt: 9_000, calls: [named("A", "purchase")] });
    expect(await bench.calls(guess.id)).toMatchObject([{ state: "superseded" }]);
  });
});
