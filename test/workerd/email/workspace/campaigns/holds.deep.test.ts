import { beforeEach, describe, expect, it } from "vitest";
import type { Handover } from "../../../../../src/email/types/mail-handover.ts";
import { resumeCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";
import { act, addCampaign, campaignOf, claim, HANDOVERS, hear, progressOf, pumpSlices, report } from "./bench.ts";

isolated();

const CONTACTS = 1_300;

let team: Team;
let id: string;

// Each has a domain of its own: equal answers of one would be a wave.
beforeEach(async () => {
  team = await createTeam();
  id = await addCampaign(team);
  await team.inside((sql) => {
    sql.exec(
      `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ${CONTACTS})
       INSERT INTO contacts (id, email, email_key, data, created_at, updated_at)
       SELECT 'con_' || i, 'p@d' || i || '.example', 'p@d' || i || '.example',
         jsonb_object('subscribed', json('true'), 'optInStatus', NULL, 'mailingLists', jsonb_object(), 'properties', jsonb_object()), 0, 0
       FROM s`,
    );
  });
  await act(team, id);
});

const send = (mails: number, bounces = 0, complaints = 0, bounce: Handover = HANDOVERS.noAddress) =>
  team.inside(async (sql, storage) => {
    await pumpSlices(storage);
    let sent = 0;
    while (sent < mails) {
      const batch = claim(sql, Math.min(50, mails - sent));
      for (const mail of batch) {
        report(sql, mail, sent < bounces ? bounce : HANDOVERS.accepted);
        if (sent >= mails - complaints) hear(sql, mail.n, "complaint");
        sent += 1;
      }
      if (batch.length === 0) break;
    }
    await pumpSlices(storage);
    return sent;
  });
const stored = () => team.inside((sql) => campaignOf(sql, id));

describe("a campaign is held", () => {
  it("when more than 5 % of at least 500 mails bounce, and its mail with it; a person resumes it", async () => {
    await send(499, 30);
    expect((await stored()).state).toBe("sending");
    await send(1);
    expect(await progressOf(team, id)).toMatchObject({ state: "held", reason: "bounce_rate", failed: 30, sent: 470 });
    expect(await send(10)).toBe(0);
    await act(team, id, resumeCampaign);
    expect(await send(10)).toBe(10);
    expect((await stored()).state).toBe("sending");
    // Below 500 mails since the resume, no rate causes a hold.
    await send(489, 40);
    expect((await stored()).state).toBe("sending");
    await send(1);
    expect(await stored()).toMatchObject({ state: "held", reason: "bounce_rate" });
  });

  it("when hard and soft bounces together are more than 5 %, counted from the resume", async () => {
    const soft = (mails: number) =>
      team.inside(async (sql, storage) => {
        const sent = sql.exec<{ n: number }>("SELECT n FROM sends WHERE state = 'sent' LIMIT ?", mails).toArray();
        for (const { n } of sent) hear(sql, n, "soft");
        await pumpSlices(storage);
      });
    await send(500, 10);
    await soft(15);
    expect((await stored()).state).toBe("sending");
    await soft(1);
    expect(await stored()).toMatchObject({ state: "held", reason: "bounce_rate" });
    await act(team, id, resumeCampaign);
    await send(500);
    await soft(25);
    expect((await stored()).state).toBe("sending");
    await soft(1);
    expect(await stored()).toMatchObject({ state: "held", reason: "bounce_rate" });
  });

  it("when more than 5 % of the mailboxes are full", async () => {
    await send(499, 26, 0, HANDOVERS.mailboxFull);
    expect((await stored()).state).toBe("sending");
    await send(1);
    expect(await progressOf(team, id)).toMatchObject({ state: "held", reason: "bounce_rate", failed: 26, sent: 474 });
  });

  it("for complaints at their own bound, after a person resumed it in spite of its bounces, and the other way round", async () => {
    await send(500, 450);
    expect(await stored()).toMatchObject({ state: "held", reason: "bounce_rate" });
    await act(team, id, resumeCampaign);
    await send(10, 0, 1);
    expect(await stored()).toMatchObject({ state: "held", reason: "complaint_rate" });
    await act(team, id, resumeCampaign);
    await send(480, 40, 5);
    expect((await stored()).state).toBe("sending");
    await send(10);
    expect(await stored()).toMatchObject({ state: "held", reason: "bounce_rate" });
    await act(team, id, resumeCampaign);
    await send(10);
    expect(await stored()).toMatchObject({ state: "held", reason: "complaint_rate" });
  });

  it("when more than 0.1 % of at least 500 mails are complaints", async () => {
    await send(500, 25);
    expect((await stored()).state).toBe("sending");
    await send(1, 0, 1);
    expect(await stored()).toMatchObject({ state: "held", reason: "complaint_rate" });
  });

  it("not when everything is sent: there is nothing to decide", async () => {
    await send(CONTACTS, 0, 0);
    const [mail] = await team.rows("SELECT n FROM sends LIMIT 1");
    await team.inside(async (sql, storage) => {
      hear(sql, Number(mail?.n), "complaint");
      await pumpSlices(storage);
    });
    expect(await progressOf(team, id)).toMatchObject({ state: "done", recipients: CONTACTS, sent: CONTACTS });
  });
});
