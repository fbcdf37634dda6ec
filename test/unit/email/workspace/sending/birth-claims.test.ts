import { expect, it } from "vitest";
import { nothing } from "../../../../../src/email/workspace/core/context.ts";
import { schema } from "../../../../../src/email/workspace/core/schema.ts";
import { MailPump } from "../../../../../src/email/workspace/sending/mail-pump.ts";
import { acceptSend } from "../../../../../src/email/workspace/sending/sends.ts";
import { noRecipients } from "../../../../../src/email/workspace/sending/wanted-recipients.ts";
import { readPlan } from "../../../../../src/lib/plan.ts";
import { createTimeline } from "../../../../workerd/simulation/timeline.ts";
import { createDisk } from "./simulation/disk.ts";

const START = Date.UTC(2026, 0, 1);

it.each(["free", "paid"])(
  "mails that are claimed when they are accepted use the room of a Mailer, on the %s plan",
  (PLAN) => {
    const disk = createDisk(
      createTimeline(START),
      () => 1,
      schema.migrations.map(({ sql }) => sql),
    );
    const budget = readPlan({ PLAN });
    const held: number[] = [];
    const pump = new MailPump({
      sql: disk.sql,
      transaction: disk.transaction,
      team: () => "acme",
      mailers: (mailClass) => (mailClass === "transactional" ? 2 : 0),
      isIdempotent: () => false,
      copiesOf: () => [],
      routeOf: () => "relay",
      onlyRoute: () => "relay",
      now: () => START,
      random: () => 0.5,
      wake: () => {},
      recipients: () => noRecipients,
      budget,
      settled: () => {},
      sleep: () => new Promise(() => {}),
      mailer: () => ({
        exchange: (_, { known }) => {
          held.push(known.length);
          return new Promise(() => {});
        },
        recall: async () => [],
      }),
    });
    const after = nothing();
    const context = {
      sql: disk.sql,
      now: START,
      id: (prefix: string) => prefix,
      origin: "",
      domain: "mail.example.com",
      sendingIps: [],
      hasBucket: false,
      publicUrl: "",
      after,
      mail: { envelope: undefined, envelopeClasses: [], inboxOnly: [], notes: [] },
      freeMailer: () => pump.freeMailer(),
    };
    const mail = { revision: 1, recipient: "ada@example.com", values: {}, domain: "mail.example.com" };
    for (let n = 0; n < 300; n += 1) acceptSend(context, mail);
    pump.run(after.sends);
    const room = budget.capacity.transactional;
    expect(held).toEqual([room, room]);
    disk.close();
  },
);
