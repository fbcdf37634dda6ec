import { afterEach, expect, it, vi } from "vitest";
import { act } from "../../../scripts/act/act.ts";
import { ACT } from "../../../scripts/act/usage.ts";
import { parse } from "../../../scripts/lib/command.ts";

afterEach(() => vi.unstubAllGlobals());

const VARS = { ADMIN_TOKEN: "token" };
const erased = { identifiers: 2, webhooks: 1, deliveries: 1, discarded: 0, links: 0 };

const bridge = (...answers: object[]) => {
  const bodies: unknown[] = [];
  vi.stubGlobal("fetch", async (_: string, { body }: RequestInit) => {
    bodies.push(JSON.parse(String(body)));
    return Response.json(answers.length > 1 ? answers.shift() : answers[0]);
  });
  return bodies;
};

it("erase is a dry run without --yes, and shows the person and what is not reached", async () => {
  const reached = [{ email: "ada@example.com" }, { userId: "old_account", earlier: true }];
  const bodies = bridge(
    { finished: false, next: "9", erased, reached, notReached: ["Log lines."], message: "Not finished." },
    {
      finished: true,
      next: null,
      erased: { ...erased, identifiers: 0 },
      reached,
      notReached: ["Log lines."],
      service: { sends: 3 },
      message: "Dry run.",
    },
  );
  expect(await act(parse(ACT, ["erase", "ada@example.com", "--service"]), VARS)).toBe(
    [
      "Dry run.",
      "The person: ada@example.com, old_account (earlier).",
      "In the ledger: identifiers 2, webhooks 2, deliveries 2, discarded 0, links 0.",
      "At the email service: sends 3.",
      "Not reached: Log lines.",
      "To do it, add --yes.",
    ].join("\n"),
  );
  const asked = { email: "ada@example.com", dryRun: true, service: true };
  expect(bodies).toEqual([asked, { ...asked, cursor: "9" }]);
});

it("erase by a user id stops after a few repeats while a mail is in flight, and says that it is not finished", async () => {
  const bodies = bridge({ finished: false, next: "1", erased, message: "Not finished." });
  const text = await act(parse(ACT, ["erase", "user_ada_1", "--yes"]), VARS);
  expect(text).toMatch(/^Not finished\./);
  expect(bodies).toHaveLength(4);
  expect(bodies[0]).toEqual({ userId: "user_ada_1", dryRun: false, service: false });
});

it("pause and resume are about one source, or about all deliveries", async () => {
  const bodies = bridge({ dispatch: "paused" });
  const line = (text: string) => act(parse(ACT, text.split(" ")), VARS);
  expect(await line("pause stripe")).toBe("The deliveries of stripe are paused. Dispatch: paused.");
  expect(await line("resume")).toBe("All deliveries are resumed. Dispatch: paused.");
  expect(bodies).toEqual([{ source: "stripe" }, {}]);
});
