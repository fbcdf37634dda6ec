import { keyOf, MailerQueue } from "../../../../../../src/email/delivery/mailer/mailer-queue.ts";
import {
  schema as mailerTables,
  type Note,
  noteIn,
  nothingNoted,
} from "../../../../../../src/email/delivery/mailer/note.ts";
import type { Handover, MailClass } from "../../../../../../src/email/types/mail-handover.ts";
import {
  type Answer,
  type Claim,
  type MailerRpc,
  mailerName,
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
import type { Random } from "../../../../../workerd/simulation/random.ts";
import type { Timeline } from "../../../../../workerd/simulation/timeline.ts";
import { type Budgets, createEvents, TOO_MANY } from "./budgets.ts";
import { createDisk, type Life, type Mutation } from "./disk.ts";
import type { MailProvider } from "./mail-provider.ts";
import type { Weather } from "./weather.ts";

/** A bug to plant: each hook changes one thing. `exchange`: of one life of a Mailer. `orders`: of an event. `weather`: in which it is frequent. */
export type Bug = {
  mutate?: Mutation;
  notes?: "not durable" | "erased" | "without results" | "without stamp";
  exchange?(queue: MailerQueue): MailerQueue["exchange"];
  born?: "not held" | "not counted";
  orders?: number;
  weather?: Weather;
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
  budgets: Budgets;
  /** Claims (n) that a note has named. */
  noted: Set<number>;
  bug: Bug;
  fail(what: string): void;
  trace(line: string): void;
};

/** `addresses`: suppressed during the schedule. `ignored`: sends claimed in spite of an earlier suppression. */
type Suppressions = { addresses: Set<string>; ignored: string[] };

const clone = <T>(value: T): T => (value === undefined ? value : (JSON.parse(JSON.stringify(value)) as T));

/** `idleSince`: ms of the newest call that has ended. */
type Running<T> = Life & { api: T; onDeath: Set<() => void>; open: number; idleSince: number };

const WORKSPACE = "workspace";
/** The platform evicts an object that has no open call for this long. */
const IDLE_MS = 10_000;

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
      const life = { alive: true, onDeath: new Set(), open: 0, idleSince: timeline.now() } as unknown as Running<T>;
      running = life;
      life.api = start(life, disk);
    }
    return running;
  };
  const later = (act: () => void) =>
    timeline.in(random.chance(unlucky / 4) ? random.int(1_000, 300_000) : random.int(1, 20), act);
  const crash = (how = "crash") => {
    if (!running) return;
    trace(`${how} ${name}`);
    running.alive = false;
    const { onDeath } = running;
    running = undefined;
    disk.crash();
    for (const act of onDeath) act();
  };
  return {
    disk,
    current,
    crash: () => crash(),
    call: <R>(caller: Life, callerDisk: { durable(life: Life): Promise<void> }, method: (api: T) => R | Promise<R>) =>
      new Promise<R>((resolve, reject) => {
        const whenAlive = (act: () => void) => later(() => caller.alive && act());
        void callerDisk.durable(caller).then(() =>
          later(() => {
            const isIdle = running?.open === 0 && timeline.now() - running.idleSince > IDLE_MS;
            if (isIdle && name !== WORKSPACE) crash("evict");
            const life = current();
            life.open += 1;
            if (random.chance(unlucky)) timeline.in(random.int(0, 20), () => crash());
            const died = () => whenAlive(() => reject(new Error(`${name} was reset`)));
            life.onDeath.add(died);
            const answered = (act: () => void) =>
              later(() => {
                life.onDeath.delete(died);
                if (caller.alive) act();
              });
            const ended = () => {
              life.open -= 1;
              life.idleSince = timeline.now();
            };
            Promise.resolve()
              .then(() => method(life.api))
              .finally(ended)
              .then(
                (result) => disk.durable(life).then(() => answered(() => resolve(clone(result)))),
                (error) => life.alive && answered(() => reject(error)),
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
/** Outside calls of a mail. A transactional one may have attachments. */
const CALLS: Readonly<Record<MailClass, number>> = { transactional: 2, marketing: 1 };
const REFUSED: Handover = { outcome: "deferred", message: TOO_MANY };
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
      const { mailClass } = readMailerName(name);
      const events = createEvents(world);
      const queue = new MailerQueue({
        mailClass,
        now: timeline.now,
        notes: {
          read: () => {
            if (bug.notes === "erased") return nothingNoted;
            return bug.notes === "without stamp" ? { ...store.read(), stamp: nothingNoted.stamp } : store.read();
          },
          write: (note) => {
            for (const { n } of note.claims) world.noted.add(n);
            return store.write(written(note));
          },
        },
        wait: (ms, until) =>
          Promise.race([
            until,
            new Promise<void>((resolve) => timeline.in(Math.max(1, ms), () => life.alive && resolve())),
          ]),
        handOver: (send) =>
          events.refuses(CALLS[mailClass])
            ? Promise.resolve({ sender: "provider", handover: REFUSED })
            : mailProvider.handOver(life, send, () => {
                if (random.chance(world.unlucky)) timeline.in(random.int(0, 5), () => mailerHost(name).crash());
              }),
      });
      const exchange = bug.exchange?.(queue) ?? ((order: Order) => queue.exchange(order));
      return {
        exchange: (_, order) => {
          events.begin();
          return exchange(order);
        },
        recall: async (_, claims) => {
          events.begin();
          return bug.recall ? bug.recall(queue, claims) : queue.recall(claims);
        },
      };
    });

  const { warmup } = world.weather;
  const day = Math.floor(timeline.now() / 86_400_000);
  const begun = warmup ? [`INSERT INTO warmups VALUES ('mail.example.com', 0, ${day}, ${warmup.used}, 0, 0)`] : [];
  const schema = [...tables.migrations.map(({ sql }) => sql), ...begun];
  const workspace = createHost<WorkspaceApi>(world, WORKSPACE, schema, (life, disk) => {
    const { sql, transaction } = disk;
    let alarmAt = Number.POSITIVE_INFINITY;
    const wake = (at: number) => {
      if (at >= alarmAt) return;
      alarmAt = at;
      disk.setAlarm(at);
    };
    const { addresses, ignored } = world.suppressions;
    const { budget } = world.budgets;
    const events = createEvents(world);
    const born = new Set<number>();
    const isNamed = ({ n }: Claim) => bug.born !== "not held" || !born.has(n);
    const checked = (name: string, order: Order): Order => {
      const most = budget.capacity[readMailerName(name).mailClass];
      if (order.known.length > most) world.fail(`${name} has ${order.known.length} mails, and room for ${most}`);
      for (const { id, recipient } of order.sends) {
        const found = sql.exec("SELECT 1 FROM suppressions WHERE email_key = ?", recipient).toArray();
        if (found.length > 0) ignored.push(id);
      }
      return clone({ ...order, known: order.known.filter(isNamed) });
    };
    const checkNames = ({ known }: Order, answer: Answer): void => {
      const named = new Set(known.map(keyOf));
      const others = "results" in answer ? answer.results.filter((result) => !named.has(keyOf(result))) : [];
      if (others.length > 0) world.fail("a Mailer answered a result that its order does not name");
    };
    const remote = (name: string): MailerRpc => ({
      exchange: async (own, order) => {
        const given = checked(name, order);
        if (events.refuses(1)) throw new Error(TOO_MANY);
        const answer = await mailerHost(name).call(life, disk, (api) => api.exchange(own, given));
        checkNames(order, answer);
        return bug.answer ? bug.answer(answer) : answer;
      },
      recall: async (own, claims) => {
        if (events.refuses(1)) throw new Error(TOO_MANY);
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
      budget: { ...budget, orders: bug.orders ?? budget.orders },
      ...(bug.orders === undefined ? { calls: events.calls } : {}),
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
      freeMailer: () => {
        const name = pump.freeMailer();
        return bug.born === "not counted" ? mailerName(TEAM, "transactional", 0) : name;
      },
    });
    return {
      accept: (count) => {
        events.begin();
        const context = contextOf();
        const mail = () => ({
          revision: 1,
          recipient: `r${random.int(1, 1e9)}@example.com`,
          values: {},
          domain: "mail.example.com",
        });
        const accepted = transaction(() => Array.from({ length: count }, () => acceptSend(context, mail()).id));
        wake(context.after.wake);
        for (const n of context.after.sends) born.add(n);
        void pump.run(context.after.sends);
        return accepted;
      },
      campaign: (count) => {
        events.begin();
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
        events.begin();
        alarmAt = Number.POSITIVE_INFINITY;
        const now = timeline.now();
        runChores(sql, now);
        void pump.run();
        if (bug.alarm !== "last") wake(next());
      },
      recall: () => {
        events.begin();
        return pump.recall([CAMPAIGN]);
      },
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
    'INSERT OR IGNORE INTO message_revisions (n, message, source, compiled, created_at) VALUES (1, 1, \'{}\', \'{"fromEmail":["news"],"html":[],"variables":[]}\', 0)',
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
