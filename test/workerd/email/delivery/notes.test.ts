import { runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import { Inbox } from "../../../../src/email/objects/inbox.ts";
import { Mailer } from "../../../../src/email/objects/mailer.ts";
import { mailerName } from "../../../../src/email/types/mailer-rpc.ts";
import { bindings, createTeam, isolated } from "../bench.ts";
import { act, addCampaign, addContacts, drive } from "../workspace/campaigns/bench.ts";

isolated();

const notesOf = (numbers: readonly number[]) =>
  Promise.all(
    numbers.map((number) =>
      runInDurableObject(bindings.MAILER.getByName(mailerName("acme", "marketing", number)), (_, { storage }) =>
        storage.sql.exec<{ results: string }>("SELECT results FROM note").toArray(),
      ),
    ),
  );

it("no note of a Mailer has the reply to a mail after a campaign, so an erasure need not reach it", async () => {
  const team = await createTeam();
  await addContacts(
    team,
    Array.from({ length: 60 }, (_, n) => `p${n}@example.com`),
  );
  let inFlight = 0;
  vi.spyOn(Inbox.prototype, "capture").mockImplementation(async ({ to: [to] }) => {
    // Mails that end one after another are in the note of the next ones.
    await new Promise((resolve) => setTimeout(resolve, 2 + (inFlight++ % 6) * 3));
    return { outcome: "accepted", reply: `250 <${to?.address}> queued` };
  });
  const exchange = vi.spyOn(Mailer.prototype, "exchange");
  await act(team, await addCampaign(team));
  await drive(team);
  expect(await team.rows("SELECT state, count(*) AS mails FROM sends GROUP BY state")).toEqual([
    { state: "sent", mails: 60 },
  ]);
  const answers = await Promise.all(exchange.mock.results.map(({ value }) => value as ReturnType<Mailer["exchange"]>));
  expect(answers.filter((answer) => "noted" in answer).length).toBeGreaterThan(0);
  await vi.waitFor(async () => {
    const notes = (await notesOf([0, 1, 2, 3])).flat();
    expect(notes.length).toBeGreaterThan(0);
    expect(notes.filter(({ results }) => results !== "[]")).toEqual([]);
  });
});
