import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Handover, MailClass } from "../../../../../src/email/types/mail-handover.ts";
import type { Answer, Claim } from "../../../../../src/email/types/mailer-rpc.ts";
import { schema } from "../../../../../src/email/workspace/core/schema.ts";
import { MailPump } from "../../../../../src/email/workspace/sending/mail-pump.ts";
import { noRecipients } from "../../../../../src/email/workspace/sending/wanted-recipients.ts";
import { readPlan } from "../../../../../src/lib/plan.ts";
import { createTimeline } from "../../../../workerd/simulation/timeline.ts";
import { createDisk } from "./simulation/disk.ts";

const START = Date.UTC(2026, 0, 1);
const DOWN: Handover = { outcome: "deferred", down: true, message: "no route to host" };

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation(() => {});
});
afterEach(() => {
  vi.restoreAllMocks();
});

it("a transactional mail that shows that its mail provider answers again wakes the marketing mail that waits for it", async () => {
  const team = "INSERT INTO team (one, slug, name, create_properties, created_at) VALUES (1, 'acme', 'Acme', 1, 0)";
  const { sql, close } = createDisk(createTimeline(START), () => 1, [...schema.migrations.map(({ sql }) => sql), team]);
  const insert = (n: number, mailClass: MailClass) => {
    const email = `p${n}@example.org`;
    sql.exec(
      `INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
       VALUES (?1, 'con_' || ?1, ?2, ?2, jsonb('{"subscribed":true,"optInStatus":null,"mailingLists":{}}'), 0, 0)`,
      n,
      email,
    );
    sql.exec(
      `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview, contact, run)
       VALUES (?, 'snd_' || ?, ?, 1, ?, ?, '<m@mail.example.com>', 'queued', 0, ?, '{}', ?, 0, ?, 0)`,
      n,
      n,
      mailClass,
      email,
      email,
      now,
      now,
      mailClass === "marketing" ? n : null,
    );
  };
  let now = START;
  let wakeAt = Number.POSITIVE_INFINITY;
  const claimed: Claim[] = [];
  let answer: (answer: Answer) => void = () => {};
  const pump = new MailPump({
    sql,
    transaction: (work) => work(),
    team: () => "acme",
    mailers: () => 1,
    isIdempotent: () => false,
    copiesOf: () => [],
    routeOf: () => "relay",
    onlyRoute: () => "relay",
    now: () => now,
    random: () => 0.5,
    wake: (at) => {
      wakeAt = Math.min(wakeAt, at);
    },
    recipients: () => noRecipients,
    budget: readPlan({}),
    settled: () => {},
    sleep: () => new Promise(() => {}),
    mailer: () => ({
      exchange: (_, { sends }) => {
        claimed.push(...sends);
        return new Promise((resolve) => {
          answer = resolve;
        });
      },
      recall: async () => [],
    }),
  });
  const report = async (handover: Handover) => {
    const results = claimed.splice(0).map(({ n, attempt }) => ({ n, attempt, sender: "provider", handover }));
    answer({ results, lost: [], never: [] });
    await new Promise((resolve) => setTimeout(resolve, 0));
  };

  for (let n = 1; n <= 5; n += 1) insert(n, "transactional");
  pump.run();
  await report(DOWN);
  insert(6, "marketing");
  now += 30_000;
  pump.run();
  expect(claimed.map(({ n }) => n <= 5)).toEqual([true]);
  wakeAt = Number.POSITIVE_INFINITY;
  await report({ outcome: "accepted" });
  expect(wakeAt).toBe(now);
  close();
});
