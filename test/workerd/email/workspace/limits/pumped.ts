import type { MailClass } from "../../../../../src/email/types/mail-handover.ts";
import type { Answer, Claim, ClaimedSend } from "../../../../../src/email/types/mailer-rpc.ts";
import { nextWake, runChores } from "../../../../../src/email/workspace/requests/alarm.ts";
import { MailPump } from "../../../../../src/email/workspace/sending/mail-pump.ts";
import { noRecipients } from "../../../../../src/email/workspace/sending/wanted-recipients.ts";
import { readPlan } from "../../../../../src/lib/plan.ts";
import { START } from "../../bench.ts";

type Insert = { mailClass?: MailClass; origin?: string; at?: number };

/** Adds waiting mails, with a contact for each marketing mail. */
export const insert = (sql: SqlStorage, from: number, count: number, of: Insert = {}): void => {
  const { mailClass = "marketing", origin, at = START } = of;
  for (let n = from; n < from + count; n += 1) {
    const email = `p${n}@example.org`;
    const contact = mailClass === "marketing" ? n : null;
    if (contact !== null)
      sql.exec(
        `INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
         VALUES (?1, 'con_' || ?1, ?2, ?2, jsonb('{"subscribed":true,"optInStatus":null,"mailingLists":{}}'), 0, 0)`,
        n,
        email,
      );
    sql.exec(
      `INSERT INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview, contact, origin, run)
       VALUES (?, ?, ?, 1, ?, ?, '<m@mail.acme.example>', 'queued', 0, ?, '{}', ?, 0, ?, ?, 0)`,
      n,
      `snd_${n.toString(36)}_x`,
      mailClass,
      email,
      email,
      at,
      at,
      contact,
      origin ?? null,
    );
  }
};

export const setLimit = (sql: SqlStorage, span: "second" | "hour" | "day", limit: number | null): void => {
  sql.exec(`UPDATE team SET send_per_${span} = ?`, limit);
};

export const statesOf = (sql: SqlStorage): Record<string, number> =>
  Object.fromEntries(
    sql
      .exec<{ state: string; count: number }>("SELECT state, count(*) AS count FROM sends GROUP BY 1")
      .toArray()
      .map(({ state, count }) => [state, count]),
  );

export type Given = { at: number; n: number; attempt: number; mailer: string; mailClass: MailClass };

const settled = () => new Promise<void>((resolve) => setTimeout(resolve, 0));

/**
 * A pump over a team's rows, with Mailers that keep their mails until a test reports them. Time moves only by a test.
 * `orders`: of one event.
 */
export const pumped = (sql: SqlStorage, mailers = 2, orders = 10_000) => {
  const given: Given[] = [];
  let now = START;
  let wakeAt = Number.POSITIVE_INFINITY;
  let pump: MailPump;
  let open = new Map<string, Claim[]>();
  let answers = new Map<string, (answer: Answer) => void>();
  const take = (mailer: string, sends: readonly ClaimedSend[]): void => {
    for (const { n, attempt } of sends) {
      given.push({
        at: now,
        n,
        attempt,
        mailer,
        mailClass: mailer.includes(":marketing:") ? "marketing" : "transactional",
      });
      open.set(mailer, [...(open.get(mailer) ?? []), { n, attempt }]);
    }
  };
  const start = (): void => {
    open = new Map();
    answers = new Map();
    pump = new MailPump({
      sql,
      transaction: (work) => work(),
      team: () => "acme",
      mailers: () => mailers,
      isIdempotent: () => false,
      copiesOf: () => [],
      routeOf: () => undefined,
      onlyRoute: () => undefined,
      now: () => now,
      random: () => 0.99,
      wake: (at) => {
        wakeAt = Math.min(wakeAt, at);
      },
      recipients: () => noRecipients,
      budget: { ...readPlan({}), orders },
      settled: () => {},
      sleep: () => new Promise(() => {}),
      mailer: (name) => ({
        exchange: (_, { sends, known }) => {
          take(name, sends);
          const held = open.get(name) ?? [];
          const never = known.filter(({ n }) => held.every((claim) => claim.n !== n));
          if (never.length > 0) return Promise.resolve({ results: [], lost: [], never });
          return new Promise((resolve) => answers.set(name, resolve));
        },
        recall: async () => [],
      }),
    });
    pump.restore();
  };
  start();
  return {
    given,
    now: () => now,
    moveTo: (at: number): void => {
      now = Math.max(now, at);
    },
    run: async (): Promise<void> => {
      pump.run();
      await settled();
    },
    async report(mailer: string, count: number, outcome: "accepted" | "deferred" = "accepted"): Promise<void> {
      const done = open.get(mailer)?.splice(0, count) ?? [];
      const handover = outcome === "accepted" ? ({ outcome } as const) : ({ outcome, message: "busy" } as const);
      const results = done.map((claim) => ({ ...claim, sender: "smtp", handover }));
      answers.get(mailer)?.({ results, lost: [], never: [] });
      await settled();
    },
    async reportAll(outcome: "accepted" | "deferred" = "accepted"): Promise<void> {
      for (const [mailer, claims] of open) await this.report(mailer, claims.length, outcome);
    },
    restart: start,
    wakeAt: () => wakeAt,
    async alarm(): Promise<void> {
      if (wakeAt === Number.POSITIVE_INFINITY) throw new Error("No alarm is set.");
      now = Math.max(now, wakeAt);
      wakeAt = Number.POSITIVE_INFINITY;
      await runChores(sql, now);
      pump.run();
      await settled();
      wakeAt = Math.min(
        wakeAt,
        pump.next(),
        nextWake(sql, now, true, (mailClass) => pump.limits.opensAt(mailClass, now)),
      );
    },
  };
};

/** Most claims in any half-open span of this length. */
export const mostIn = (claims: readonly Given[], length: number): number => {
  let first = 0;
  let most = 0;
  for (const [index, { at }] of claims.entries()) {
    while ((claims[first]?.at ?? at) <= at - length) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
};
