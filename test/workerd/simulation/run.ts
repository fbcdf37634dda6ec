import type { Engine, Parts } from "../../../src/outbox/engine.ts";
import type { Call } from "../../../src/outbox/types.ts";
import { isBefore, isNewer, propertiesOf } from "./model.ts";
import { type Schedule, scheduleOf } from "./schedule.ts";
import { Broken, promise } from "./watch.ts";
import { createWorld, START, type World } from "./world.ts";

export type Result = {
  seed: number;
  /** The promise that was not kept. */
  broken?: string;
  trace: readonly string[];
  hash: string;
  counts: Readonly<Record<string, number>>;
  steps: number;
};

const HOUR = 3_600_000;
/** Steps after which a run is not busy but a busy loop. */
const MOST_STEPS = 60_000;
/** Ms after which whatever can be delivered has been, once all is well. */
const IN_TIME = 5 * HOUR;
/** How long all may take to come to rest once all is well: who is never named is waited for. */
const REST = 110 * HOUR;

/** Runs one seed, from the first webhook until nothing is left to do. */
export const run = async (
  storage: DurableObjectStorage,
  seed: number,
  make?: (parts: Parts) => Engine,
  schedule: Schedule = scheduleOf(seed, START),
): Promise<Result> => {
  const { log } = console;
  const said: string[] = [];
  console.log = (line: unknown) => void said.push(String(line));
  let world: World | undefined;
  let broken: string | undefined;
  try {
    world = createWorld(storage, seed, schedule, make);
    for (const step of [...schedule.steps, ...schedule.after]) world.timeline.in(step.at, () => world?.perform(step));
    await through(world, said);
    atRest(world);
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    broken = error.message;
    world?.trace.say(`BROKEN: ${broken}`);
    {
      const q = world?.process()?.engine.dispatcher;
      if (q)
        world?.trace.lines.push(
          JSON.stringify({
            pumping: q.pumping,
            stops: q.stops,
            pause: q.pause,
            next: q.nextStart() - world.wall(),
            stopped: [...q.queue.stopped],
            alarm: world.disk.alarm(),
            flying: q.queue.flying.size,
            trains: [...q.queue.persons].map(([k, t]) => [k, t.items.length, t.flying]),
          }),
        );
    }
    for (const row of world?.disk.sql.exec("SELECT * FROM contacts") ?? [])
      world?.trace.lines.push(JSON.stringify(row));
    for (const i of world?.process()?.engine.dispatcher.queue.items.values() ?? [])
      world?.trace.lines.push(
        JSON.stringify({ id: world.model.at(i.seq, i.index)?.id, ...i, seq: undefined, dueIn: i.due - world.wall() }),
      );
  } finally {
    console.log = log;
  }
  const { trace, counts, timeline } = world as World;
  return {
    ...{ seed, trace: trace.lines, hash: trace.hash(), counts, steps: timeline.steps() },
    ...(broken === undefined ? {} : { broken }),
  };
};

const through = async (world: World, said: string[]): Promise<void> => {
  const { timeline, schedule, disk, acknowledged, webhooks } = world;
  const wellAt = START + schedule.wellAt + 1;
  timeline.in(schedule.wellAt + 1, () => world.resumeAll());
  const open = () => disk.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE open = 1").one().n;
  let checked = false;
  while (await world.step()) {
    promise(timeline.steps() < MOST_STEPS, `It has taken ${MOST_STEPS} steps: it runs in circles.`);
    const failed = said.find((line) => /"event":"(\w+_failed)"/.test(line));
    promise(failed === undefined, `It says: ${failed}`);
    said.length = 0;
    if (timeline.now() < wellAt) continue;
    if (timeline.now() > wellAt + IN_TIME && !checked) {
      checked = true;
      nothingWaitsForNothing(world);
    }
    const isDone = acknowledged.size === webhooks.length && open() === 0 && world.isStill();
    if (isDone || timeline.now() > wellAt + REST) return;
  }
};

/** Once all has been well for a while, only who is never named is still waited for. */
const nothingWaitsForNothing = ({ model }: World): void => {
  const people = model.people();
  for (const { id, state, seq, call } of model.calls.values()) {
    const kinds = call.action === "transactional" ? /^email:/ : /^(email|user):/;
    const waits =
      state === "waiting" && seq !== undefined && people.keysOf(call.contact).some((key) => kinds.test(key));
    promise(!waits, `${id} still waits, though nothing stands in its way.`);
  }
};

/** When all is over: every webhook is accounted for, every call has come to something, and what stands at the host is right. */
const atRest = ({ model, acknowledged, acts, webhooks, host }: World): void => {
  promise(acknowledged.size >= webhooks.length, "A webhook was never accepted.");
  const rows = model.rows();
  for (const { name } of webhooks) {
    const own = rows.filter((row) => model.webhookOf(row)?.name === name);
    promise(own.length === 1, `${name} is ${own.length} times in the journal.`);
  }
  for (const row of rows)
    for (const call of JSON.parse(row.calls) as Call[]) {
      const known = model.calls.get(call.key);
      if (!known) continue;
      promise(
        call.state !== "waiting" && call.state !== "sending",
        `${known.id} is still ${call.state}: ${JSON.stringify(call)}`,
      );
      promise(
        call.state === known.state || call.state === "skipped",
        `${known.id} is ${call.state} in the journal and was said to be ${known.state}.`,
      );
    }
  const landed = [...model.calls.values()].filter(({ done }) => done !== undefined);
  const people = model.people();
  for (const known of landed) {
    if (known.call.action !== "contact") continue;
    for (const name of propertiesOf(known)) {
      const wrote = acts.some(
        ({ calls, request }) => calls.includes(known) && written(request.body, name).split(" ")[0] === known.id,
      );
      const overtaken = landed.some(
        (one) =>
          one !== known &&
          (propertiesOf(one).includes(name) || one.call.action === "delete") &&
          (isNewer(one, known) || (!isNewer(known, one) && isBefore(known, one))) &&
          people.same(one.call.contact, known.call.contact),
      );
      promise(wrote || overtaken, `${known.id} is done, but its ${name} never got to the host.`);
    }
  }
  // What stands at the host of each property is the newest that succeeded of what was known to be of one person.
  for (const contact of host.contacts())
    for (const [name, value] of Object.entries(contact.properties)) {
      const about = acts.filter((act) => act.contact?.id === contact.id && written(act.request.body, name) !== "");
      const last = about.at(-1);
      const lastCall = last?.calls.find(({ id }) => id === String(value).split(" ")[0]);
      if (!last || lastCall?.done === undefined) continue;
      for (const act of about) {
        const call = act.calls.find(({ id }) => id === written(act.request.body, name).split(" ")[0]);
        if (!call || call === lastCall || call.done === undefined) continue;
        const newer = isNewer(call, lastCall) || (!isNewer(lastCall, call) && isBefore(lastCall, call));
        promise(
          !newer || !last.people.same(call.call.contact, lastCall.call.contact),
          `${name} of contact ${contact.id} is what ${lastCall.id} says, though ${call.id} is newer.`,
        );
      }
    }
};

const written = (body: Record<string, unknown>, name: string): string =>
  String({ ...body, ...(body.properties as Record<string, unknown> | undefined) }[name] ?? "");
