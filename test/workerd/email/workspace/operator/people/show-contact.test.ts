import { beforeEach, describe, expect, it } from "vitest";
import { MOST_COUNTED } from "../../../../../../src/email/workspace/operator/people/show-contact.ts";
import { createTeam, isolated, type Team } from "../../../bench.ts";
import { arrangeSend } from "../../../examples.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true, createProperties: true });
});

const show = (contact: string) => team.admin("GET", `/contacts/${encodeURIComponent(contact)}`);

describe("a contact for the operator", () => {
  it("is found by its address, its userId and its id, as the v1 API shows it", async () => {
    await team.post("/contacts/create", { email: "ada@example.com", userId: "auth0|1/2", plan: "pro" });
    const contact = await team.find({ email: "ada@example.com" });
    for (const given of ["ADA@example.com", "auth0|1/2", contact.id]) {
      const { status, json } = await show(given);
      expect([status, json], given).toEqual([
        200,
        {
          contact,
          suppression: null,
          consent: null,
          tracked: true,
          counts: { sends: 0, events: 0, workflows: 0, campaigns: 0 },
          mail: { days: 30, sent: 0, tracked: 0, opened: 0, clicked: 0, failed: 0 },
        },
      ]);
    }
    for (const given of ["nobody@example.com", "con_none", "%"]) {
      const { status, json } = await show(given);
      expect([status, json.code, json.path], given).toEqual([404, "contact_not_found", "contact"]);
    }
  });

  it("says why its address is suppressed, whether it is measured, and how much is stored", async () => {
    await team.post("/events/send", { email: "ada@example.com", eventName: "signedUp" });
    await team.post("/events/send", { email: "ada@example.com", eventName: "signedUp" });
    await arrangeSend(team, "snd_1_ada", "sent");
    await team.admin("POST", "/suppressions", { email: "ada@example.com" });
    await team.admin("POST", "/tracking", { email: "ada@example.com", tracked: false });
    expect((await show("ada@example.com")).json).toMatchObject({
      suppression: { since: expect.any(String), reason: "manual", meaning: "A person suppressed the address." },
      tracked: false,
      counts: { sends: 1, events: 2, workflows: 0, campaigns: 0 },
    });
  });

  it("counts what became of the mails to it: opens and clicks by people, without previews", async () => {
    await team.post("/contacts/create", { email: "ada@example.com" });
    for (const [n, state] of ["sent", "delivered", "bounced", "queued", "sent"].entries()) {
      await arrangeSend(team, `snd_${n + 1}_ada`, "sent");
      await team.run("UPDATE sends SET state = ? WHERE n = ?", state, n + 1);
    }
    await team.run("UPDATE sends SET class = 'marketing' WHERE id IN ('snd_1_ada', 'snd_2_ada')");
    await team.run("UPDATE sends SET preview = 1 WHERE id = 'snd_5_ada'");
    const hit =
      "INSERT INTO send_hits (send, link, url, human, human_at, proxy, prefetch, scanner, scanner_at) SELECT n, ?, '', ?, ?, 0, 0, ?, 1 FROM sends WHERE id = ?";
    await team.run(hit, 0, 1, 5_000, 0, "snd_1_ada");
    await team.run(hit, 3, 1, 6_000, 0, "snd_1_ada");
    await team.run(hit, 0, 0, null, 4, "snd_2_ada");
    const { mail } = (await show("ada@example.com")).json;
    expect(mail).toEqual({ days: 30, sent: 2, tracked: 2, opened: 1, clicked: 1, failed: 1 });
    const { data } = (await team.admin("GET", "/sends?to=ada@example.com")).json;
    const seen = data.map(({ id, openedAt, clickedAt }: Record<string, unknown>) => [id, openedAt, clickedAt]);
    expect(seen).toContainEqual(["snd_1_ada", "1970-01-01T00:00:05.000Z", "1970-01-01T00:00:06.000Z"]);
    expect(seen).toContainEqual(["snd_2_ada", null, null]);
  });

  it("ends each count", async () => {
    await team.post("/contacts/create", { email: "ada@example.com" });
    await team.run(
      `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?)
       INSERT INTO events (contact, pattern, properties, at) SELECT 1, 1, jsonb('{}'), 1 FROM s`,
      MOST_COUNTED + 5,
    );
    expect((await show("ada@example.com")).json.counts.events).toBe(MOST_COUNTED);
  });
});
