import { createRandom } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { budgetsOf } from "./budgets.ts";
import { createMailProvider } from "./mail-provider.ts";
import { type Bug, createObjects, type World } from "./objects.ts";
import { checkLimits, weatherOf } from "./weather.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const MAX_STEPS = 40_000;
const MAX_STEPS_WITH_BUG = 20_000;

type Row = {
  n: number;
  id: string;
  class: string;
  recipient: string;
  state: string;
  due: number | null;
  variables: string | null;
  settled_at: number | null;
};

export type Played = { failures: string[]; trace: string[]; steps: number; counts: Record<string, number> };

/**
 * Plays one schedule of mail, faults and crashes. Checks that no mail is lost or doubled, and that each state is
 * true.
 */
export const play = async (seed: number, bug: Bug = {}): Promise<Played> => {
  const random = createRandom(seed);
  const timeline = createTimeline(START);
  const trouble = random.one([0, 0.05, 0.3]);
  const crashes = random.chance(0.75) ? random.int(1, 12) : 0;
  const trace: string[] = [];
  const isIdempotent = random.chance(0.15);
  const weather = isIdempotent ? {} : (bug.weather ?? weatherOf(seed));
  const unlucky = crashes === 0 ? 0 : random.one([0, 0.005, 0.03]);
  const broken: string[] = [];
  const world: World = {
    timeline,
    random,
    bug,
    isIdempotent,
    unlucky,
    suppressions: { addresses: new Set(), ignored: [] },
    budgets: budgetsOf(seed),
    noted: new Set(),
    fail: (what) => broken.push(what),
    mailProvider: createMailProvider(timeline, random.fork(), { trouble, isIdempotent, weather }),
    weather,
    mailers: { transactional: random.int(1, 2), marketing: random.int(1, 4) },
    trace: (line) => trace.push(`${timeline.now() - START} ${line}`),
  };
  const objects = createObjects(world);
  const { workspace } = objects;
  const client = { alive: true };
  const open = { durable: () => Promise.resolve() };
  const answered: string[] = [];

  for (let i = random.int(1, 12); i > 0; i -= 1) {
    timeline.in(random.int(0, 10 * MINUTE), () => {
      const count = random.one([1, 1, 1, 3, 20, 120]);
      void workspace
        .call(client, open, (api) => api.accept(count))
        .then(
          (ids) => answered.push(...ids),
          () => {},
        );
    });
  }
  if (random.chance(0.6)) {
    timeline.in(random.int(0, 10 * MINUTE), () => {
      const count = random.one([5, 60, 400]);
      void workspace
        .call(client, open, (api) => api.campaign(count))
        .then(
          (ids) => answered.push(...ids),
          () => {},
        );
    });
  }
  for (let i = 0; i < crashes; i += 1) {
    timeline.in(random.int(0, 12 * MINUTE), () => {
      const mailers = [...objects.mailers.values()];
      const all = random.chance(0.3);
      const hosts = all ? [workspace, ...mailers] : [random.one([workspace, ...mailers])];
      for (const host of hosts) host.crash();
    });
  }

  // Separate random numbers: a schedule without suppressions does not change.
  const own = createRandom(seed ^ 0x5a99);
  for (let i = own.chance(0.4) ? own.int(1, 20) : 0; i > 0; i -= 1) {
    timeline.in(own.int(0, 12 * MINUTE), () =>
      workspace.current().api.suppress((waiting) => own.int(0, Math.max(0, waiting - 1))),
    );
  }

  const recalls = createRandom(seed ^ 0x2ca11);
  for (let i = recalls.chance(0.6) ? recalls.int(1, 30) : 0; i > 0; i -= 1) {
    timeline.in(recalls.int(0, 12 * MINUTE), () => {
      const life = workspace.current();
      void life.api.recall();
      if (recalls.chance(0.2)) timeline.in(recalls.int(0, 40), workspace.crash);
      if (recalls.chance(0.2)) timeline.in(recalls.int(0, 40), () => objects.mailers.get("acme:marketing:0")?.crash());
    });
  }

  let plannedFor = 0;
  let ringing: object | undefined;
  const ring = (at: number) => {
    if (plannedFor === at) plannedFor = 0;
    if (workspace.disk.alarm() !== at || ringing) return;
    const life = workspace.current();
    ringing = life;
    const died = () => {
      if (ringing === life) ringing = undefined;
    };
    const ended = () => {
      died();
      life.onDeath.delete(died);
      if (life.alive) workspace.disk.rang();
    };
    life.onDeath.add(died);
    workspace.disk.ring();
    void life.api.alarm().then(ended, (error: unknown) => {
      trace.push(`alarm threw: ${String(error)}`);
      ended();
    });
  };
  const arm = () => {
    const at = workspace.disk.alarm();
    if (at === undefined || ringing || plannedFor === at) return;
    plannedFor = at;
    timeline.in(Math.max(1, at - timeline.now()), () => ring(at));
  };

  const rows = () =>
    workspace.disk.sql
      .exec<Row>("SELECT n, id, class, recipient, state, due, variables, settled_at FROM sends ORDER BY n")
      .toArray();
  const isOver = () => {
    if (timeline.now() - START <= 13 * MINUTE) return false;
    const open = "SELECT 1 FROM sends WHERE due IS NOT NULL AND state <> 'unknown' LIMIT 1";
    return workspace.disk.sql.exec(open).toArray().length === 0;
  };
  const most = Object.keys(bug).length === 0 ? MAX_STEPS : MAX_STEPS_WITH_BUG;
  let steps = 0;
  for (; steps < most; steps += 1) {
    if ((timeline.next() ?? Number.POSITIVE_INFINITY) - START > 3 * DAY) break;
    await timeline.step();
    arm();
    if (steps % 50 === 0 && isOver()) break;
  }
  const wasCrashed = crashes > 0 || trace.some((line) => line.includes("crash"));
  const isQuiet = trouble === 0 && !wasCrashed && !world.budgets.isTight;
  const failures = [...new Set(broken), ...check({ world, rows: rows(), answered, isQuiet })];
  if (steps >= most) failures.push("it spins");
  if (trace.some((line) => line.includes("alarm threw"))) failures.push("the alarm threw");
  const counts: Record<string, number> = {};
  for (const { state } of rows()) counts[state] = (counts[state] ?? 0) + 1;
  workspace.disk.close();
  for (const mailer of objects.mailers.values()) mailer.disk.close();
  return { failures, trace, steps, counts };
};

type Ended = { world: World; rows: Row[]; answered: string[]; isQuiet: boolean };

const check = ({ world, rows, answered, isQuiet }: Ended): string[] => {
  const { mailProvider, isIdempotent, weather, suppressions, noted } = world;
  const seen = new Set(mailProvider.seen.map(({ id }) => id));
  const settled = rows
    .filter(({ state }) => state !== "not_sent")
    .map((row) => ({ ...row, settledAt: row.settled_at === null ? null : row.settled_at - START }));
  const failures = isIdempotent ? [] : checkLimits({ weather, seen: mailProvider.seen, rows: settled, isQuiet });
  const known = new Set(rows.map(({ id }) => id));
  for (const id of suppressions.ignored) failures.push(`${id} was claimed for a suppressed address`);
  for (const id of answered) if (!known.has(id)) failures.push(`${id} was accepted and is gone`);
  for (const { n, id, class: of, recipient, state, due, variables } of rows) {
    const copies = mailProvider.copies.get(id) ?? 0;
    const say = (what: string) => failures.push(`${of} ${id} is ${state} with ${copies} copies: ${what}`);
    if (due !== null && state !== "unknown") say("not settled");
    if (due === null && variables !== null) say("its values are not erased");
    if (copies > 1 && !isIdempotent) say("sent twice");
    if (state === "sent" && copies === 0) say("never left");
    if (state !== "sent" && state !== "unknown" && copies > 0 && !isIdempotent) say("it has left");
    const isSuppressed = suppressions.addresses.has(recipient);
    if (isQuiet && state !== "sent" && !isSuppressed) say("nothing was in its way");
    if (state === "not_sent" && !isSuppressed) say("its address is not suppressed");
    if (isIdempotent && state === "unknown") say("it can be tried again");
    if (state === "unknown" && !noted.has(n) && !seen.has(id)) say("no Mailer had it");
  }
  return failures;
};
