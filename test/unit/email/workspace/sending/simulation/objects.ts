import { MailerQueue } from "../../../../../../src/email/delivery/mailer/mailer-queue.ts";
import {
  schema as mailerTables,
  type Note,
  noteIn,
  nothingNoted,
} from "../../../../../../src/email/delivery/mailer/note.ts";
import type { MailClass } from "../../../../../../src/email/types/mail-handover.ts";
import {
  type Answer,
  type Claim,
  type MailerRpc,
  type Order,
  readMailerName,
} from "../../../../../../src/email/types/mailer-rpc.ts";
import { type Context, nothing } from "../../../../../../src/email/workspace/core/context.ts";
import { schema as tables } from "../../../../../../src/email/workspace/core/schema.ts";
import type { Limits } from "../../../../../../src/email/workspace/limits/limits.ts";
import { nextWake, runChores } from "../../../../../../src/email/workspace/requests/alarm.ts";
import { MailPump } from "../../../../../../src/email/workspace/sending/mail-pump.ts";
import { acceptSend } from "../../../../../../src/email/workspace/sending/sends.ts";
import { suppress } from "../../../../../../src/email/workspace/sending/suppression.ts";
import { noRecipients } from "../../../../../../src/email/workspace/sending/wanted-recipients.ts";
import { readPlan } from "../../../../../../src/lib/plan.ts";
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import { createDisk, type Life, type Mutation } from "./disk.ts";
import type { MailProvider } from "./mail-provider.ts";
import type { Weather } from "./weather.ts";

/** A bug to plant: each hook changes one thing. */
export type Bug = {
  mutate?: Mutation;
  notes?: "not durable" | "erased" | "without results";
  order?(order: Order): Order;
  answer?(answer: Answer): Answer;
  recall?(queue: MailerQueue, claims: readonly Claim[]): Claim[];
  recalled?(unstarted: Claim[], claims: readonly Claim[]): Claim[];
  alarm?: "last";
  limits?(limits: Limits): Partial<Limits>;
};

export type World = {
  timeline: Timeline;
  random: Random;
  mailProvider: MailProvider;
  isIdempotent: boolean;
  weather: Weather;
  mailers: Record<MailClass, number>;
  unlucky: number;
  suppressions: Suppressions;
  bug: Bug;
  trace(line: string): void;
};

/** `addresses`: suppressed during the schedule. `ignored`: sends claimed in spite of an earlier suppression. */
type Suppressions = { addresses: Set<string>; ignored: string[] };

const clone = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

type Running<T> = Life & { api: T; onDeath: (() => void)[] };

const schemaOfMailer = mailerTables.migrations.map(({ sql }) => sql);

const createHost = <T>(
  { timeline, random, bug, trace, unlucky }: World,
  name: string,
  schema: Parameters<typeof createDisk>[2],
  start: (life: Life, disk: ReturnType<typeof createDisk>) => T,
) => {
  const disk = createDisk(timeline, () => random.int(1, 15), schema, bug.mutate);
  let running: Running<T> | undefined;
  const current = (): Running<T> => {
    if (!running) {
      const life = { alive: true, onDeath: [] } as unknown as Running<T>;
      running = life;
      life.api = start(life, disk);
    }
    return running;
  };
  const later = (act: () => void) =>
    timeline.in(random.chance(unlucky / 4) ? random.int(1_000, 300_000) : random.int(1, 20), act);
  const crash = () => {
    if (!running) return;
    trace(`crash ${name}`);
    running.alive = false;
    const { onDeath } = running;
    running = undefined;
    disk.crash();
    for (const act of onDeath) act();
  };
  return {
    disk,
    current,
    crash,
    call: <R>(caller: Life, callerDisk: { durable(life: Life): Promise<void> }, method: (api: T) => R | Promise<R>) =>
      new Promise<R>((resolve, reject) => {
        const whenAlive = (act: () => void) => later(() => caller.alive && act());
        void callerDisk.durable(caller).then(() =>
          later(() => {
            const life = current();
            if (random.chance(unlucky)) timeline.in(random.int(0, 20), crash);
            life.onDeath.push(() => whenAlive(() => reject(new Error(`${name} was reset`))));
            Promise.resolve()
              .then(() => method(life.api))
              .then(
                (result) => disk.durable(life).then(() => whenAlive(() => resolve(clone(result)))),
                (error) => life.alive && whenAlive(() => reject(error)),
              );
          }),
        );
      }),
  };
};

type WorkspaceApi = {
  accept(count: number): string[];
  campaign(count: number): string[];
  alarm(): Promise<void>;
  recall(): Promise<void>;
  suppress(pick: (waiting: number) => number): void;
};

const TEAM = "acme";
const CAMPAIGN = "cmp_1";

const recipientOf = (n: number): string => `m${n}@${["gmail.com", "example.com", "example.org"][n % 3]}`;

export const createObjects = (world: World) => {
  const { timeline, random, mailProvider, bug, trace } = world;
  const mailerHosts = new Map<string, ReturnType<typeof createMailerHost>>();
  const mailerHost = (name: string) => {
    const host = mailerHosts.get(name) ?? createMailerHost(name);
    mailerHosts.set(name, host);
    return host;
  };

  const createMailerHost = (name: string) =>
    createHost<MailerRpc>(world, name, schemaOfMailer, (life, disk) => {
      const durable = () => (bug.notes === "not durable" ? Promise.resolve() : disk.durable(life));
      const store = noteIn(disk.sql, durable);
      const written = (note: Note): Note => (bug.notes === "without results" ? { ...note, results: [] } : note);
      const queue = new MailerQueue({
        mailClass: readMailerName(name).mailClass,
        now: timeline.now,
        notes: {
          read: () => (bug.notes === "erased" ? nothingNoted : store.read()),
          write: (note) => store.write(written(note)),
        },
        wait: (ms, until) =>
          Promise.race([
            until,
            new Promise<void>((resolve) => timeline.in(Math.max(1, ms), () => life.alive && resolve())),
          ]),
        handOver: (send) =>
          mailProvider.handOver(life, send, () => {
            if (random.chance(world.unlucky)) timeline.in(random.int(0, 5), () => mailerHost(name).crash());
          }),
      });
      return {
        exchange: (_, order) => queue.exchange(bug.order ? bug.order(order) : order),
        recall: async (_, claims) => (bug.recall ? bug.recall(queue, claims) : queue.recall(claims)),
      };
    });

  const { warmup } = world.weather;
  const day = Math.floor(timeline.now() / 86_400_000);
  const begun = warmup ? [`INSERT INTO warmups VALUES ('mail.example.com', 0, ${day}, ${warmup.used}, 0, 0)`] : [];
  const schema = [...tables.migrations.map(({ sql }) => sql), ...begun];
  const workspace = createHost<WorkspaceApi>(world, "workspace", schema, (life, disk) => {
    const { sql, transaction } = disk;
    let alarmAt = Number.POSITIVE_INFINITY;
    const wake = (at: number) => {
      if (at >= alarmAt) return;
      alarmAt = at;
      disk.setAlarm(at);
    };
    const { addresses, ignored } = world.suppressions;
    const checked = (order: Order): Order => {
      for (const { id, recipient } of order.sends) {
        const found = sql.exec("SELECT 1 FROM suppressions WHERE email_key = ?", recipient).toArray();
        if (found.length > 0) ignored.push(id);
      }
      return clone(order);
    };
    const remote = (name: string): MailerRpc => ({
      exchange: async (own, order) => {
        const given = checked(order);
        const answer = await mailerHost(name).call(life, disk, (api) => api.exchange(own, given));
        return bug.answer ? bug.answer(answer) : answer;
      },
      recall: async (own, claims) => {
        const unstarted = await mailerHost(name).call(life, disk, (api) => api.recall(own, clone(claims)));
        return bug.recalled ? bug.recalled(unstarted, claims) : unstarted;
      },
    });
    const pump = new MailPump({
      sql,
      transaction,
      team: () => TEAM,
      mailer: remote,
      mailers: (mailClass) => world.mailers[mailClass],
      isIdempotent: () => world.isIdempotent,
      copiesOf: () => [],
      now: timeline.now,
      routeOf: () => (world.isIdempotent ? undefined : "relay"),
      onlyRoute: () => (world.isIdempotent ? undefined : "relay"),
      random: random.next,
      wake,
      recipients: () => noRecipients,
      budget: readPlan({}),
      settled: () => {},
      sleep: (ms) => new Promise((resolve) => timeline.in(ms, () => life.alive && resolve())),
    });
    pump.restore();
    if (bug.limits) Object.assign(pump.limits, bug.limits({ ...pump.limits }));
    alarmAt = disk.alarm() ?? Number.POSITIVE_INFINITY;
    const next = () =>
      Math.min(
        nextWake(sql, timeline.now(), true, (mailClass) => pump.limits.opensAt(mailClass, timeline.now())),
        pump.next(),
      );
    wake(pump.next() < Number.POSITIVE_INFINITY ? timeline.now() : next());
    const ids = { n: 0 };
    const contextOf = (): Context => ({
      sql,
      now: timeline.now(),
      id: (prefix: string) => `${prefix}_${random.int(1, 1e9)}${ids.n++}`,
      origin: "",
      domain: "mail.example.com",
      sendingIps: [],
      hasBucket: false,
      publicUrl: "",
      after: nothing(),
      mail: { envelope: undefined, envelopeClasses: [], inboxOnly: [], notes: [] },
    });
    return {
      accept: (count) => {
        const context = contextOf();
        const mail = () => ({
          revision: 1,
          recipient: `r${random.int(1, 1e9)}@example.com`,
          values: {},
          domain: "mail.example.com",
        });
        const accepted = transaction(() => Array.from({ length: count }, () => acceptSend(context, mail()).id));
        wake(context.after.wake);
        void pump.run();
        return accepted;
      },
      campaign: (count) => {
        const now = timeline.now();
        const numbers = Array.from({ length: count }, (_, i) => now * 1000 + 500_000 + i);
        transaction(() => {
          addAudience(sql, numbers);
          for (const n of numbers) {
            sql.exec(
              `INSERT OR IGNORE INTO sends (n, id, class, revision, recipient, recipient_key, message_id, state, attempts, due, variables, created_at, preview,
                 contact, run, origin)
               VALUES (?, ?, 'marketing', 1, ?, ?, '<m@mail.example.com>', 'queued', 0, ?, '{}', ?, 0, ?, 0, ?)`,
              n,
              `snd_${n.toString(36)}_m`,
              recipientOf(n),
              recipientOf(n),
              now,
              now,
              n,
              CAMPAIGN,
            );
          }
        });
        wake(now);
        void pump.run();
        return numbers.map((n) => `snd_${n.toString(36)}_m`);
      },
      alarm: async () => {
        alarmAt = Number.POSITIVE_INFINITY;
        const now = timeline.now();
        runChores(sql, now);
        void pump.run();
        if (bug.alarm !== "last") wake(next());
      },
      recall: () => pump.recall([CAMPAIGN]),
      suppress: (pick) => {
        const waiting = sql
          .exec<{ recipient: string }>("SELECT recipient FROM sends WHERE state = 'queued' ORDER BY n")
          .toArray();
        const recipient = waiting[pick(waiting.length)]?.recipient;
        if (recipient === undefined) return;
        addresses.add(recipient);
        suppress({ sql, now: timeline.now() }, recipient, "manual");
      },
    };
  });

  return { workspace, mailers: mailerHosts, trace };
};

const addAudience = (sql: SqlStorage, numbers: readonly number[]): void => {
  sql.exec(
    `INSERT OR IGNORE INTO team (one, slug, name, create_properties, created_at) VALUES (1, '${TEAM}', 'Acme', 0, 0)`,
  );
  sql.exec(
    "INSERT OR IGNORE INTO email_messages (n, id, revision, created_at, updated_at) VALUES (1, 'msg_1', 1, 0, 0)",
  );
  sql.exec(
    'INSERT OR IGNORE INTO message_revisions (n, message, source, compiled, created_at) VALUES (1, 1, \'{}\', \'{"fromEmail":["news"],"variables":[]}\', 0)',
  );
  for (const n of numbers) {
    sql.exec(
      `INSERT OR IGNORE INTO contacts (n, id, email, email_key, data, created_at, updated_at)
       VALUES (?1, 'con_' || ?1, ?2, ?2, jsonb('{"subscribed":true,"optInStatus":null,"mailingLists":{}}'), 0, 0)`,
      n,
      recipientOf(n),
    );
  }
};
