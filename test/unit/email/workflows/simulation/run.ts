import { createRandom } from "../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../workerd/simulation/timeline.ts";
import { type Bug, createEngine, type World } from "./engine.ts";
import { emptyModel, enter, gateOf, type ModelContact, type ModelState, type ModelWorkflow, move } from "./model.ts";
import { randomTimer } from "./random-graph.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** How late a run may be, in ms. */
const LATE = MINUTE;
/** More steps than any seed needs. */
const MAX_STEPS = 20_000;

type RunRow = {
  contact: number;
  workflow: number;
  seq: number;
  node: number;
  since: number;
  wake: number | null;
  ended: string | null;
  path: string;
};

/** Result of a seed. `failures`: the promises that did not hold, in words. */
export type Played = { failures: string[]; trace: string[]; steps: number; counts: Record<string, number> };

/** Plays one schedule of requests, edits, pauses and crashes against the engine and a model of it, which must agree after each of them. */
export const play = async (seed: number, bug: Bug = {}): Promise<Played> => {
  const random = createRandom(seed);
  const timeline = createTimeline(START);
  const trace: string[] = [];
  const failures: string[] = [];
  const fail = (what: string) => void failures.push(`${(timeline.now() - START) / MINUTE} min: ${what}`);
  const tell = (line: string) => void trace.push(`${timeline.now() - START} ${line}`);
  let model: ModelState = emptyModel();
  let durable = structuredClone(model);
  const forever = { alive: true };
  const sent = new Map<string, number>();
  const sendingSince = new Map<number, number>();
  let crashed = START;
  const ids: string[] = [];

  const world: World = {
    ...{ timeline, random: random.fork(), bug, trace: tell },
    sliced: () => check(),
    mayGet: ({ contact: n, recipient }) => {
      const contact = contacts().get(n ?? 0);
      if (!contact) return "deleted";
      if (model.suppressed.includes(recipient)) return "suppressed";
      return gateOf(contact, null);
    },
    relay: ({ message, person, run, recipient }, closed) => {
      const mail = `${message} ${person} ${run} ${recipient}`;
      sent.set(mail, (sent.get(mail) ?? 0) + 1);
      if ((sent.get(mail) ?? 0) > 1) fail(`${mail} was sent twice`);
      if (closed !== undefined) fail(`${mail} was sent to a contact that was ${closed}`);
    },
  };
  const engine = createEngine(world);
  const { sql, disk } = engine;

  const contacts = (): Map<number, ModelContact> =>
    new Map(
      sql
        .exec<{ n: number; id: string; email: string | null; data: string }>(
          "SELECT n, id, email, json(data) AS data FROM contacts",
        )
        .toArray()
        .map(({ n, id, email, data }) => {
          const { subscribed, optInStatus, mailingLists, properties } = JSON.parse(data);
          return [n, { n, id, email, subscribed, optIn: optInStatus, lists: Object.keys(mailingLists), ...properties }];
        }),
    );
  const workflows = (): ModelWorkflow[] =>
    sql
      .exec<{
        n: number;
        status: ModelWorkflow["status"];
        paused_at: number | null;
        list: string | null;
        graph: string;
      }>("SELECT n, status, paused_at, list, graph FROM workflows ORDER BY n")
      .toArray()
      .map(({ n, status, paused_at, list, graph }) => ({
        ...{ n, status, list, pausedAt: paused_at ?? 0, graph: JSON.parse(graph) },
        since: sendingSince.get(n) ?? START,
      }));
  const rows = () =>
    sql
      .exec<RunRow>(
        "SELECT contact, workflow, seq, node, since, wake, ended, path FROM runs ORDER BY contact, workflow, seq",
      )
      .toArray();

  /** Moves the runs of the model that the engine has moved, and compares. */
  const check = () => {
    const now = timeline.now();
    const all = workflows();
    const known = contacts();
    const seen = new Set<string>();
    for (const row of rows()) {
      const key = `${row.contact} ${row.workflow} ${row.seq}`;
      seen.add(key);
      const run = model.runs[key];
      if (!run) {
        fail(`run ${key} should not exist`);
        continue;
      }
      const isSame =
        row.node === run.node && row.since === run.since && row.wake === run.wake && row.ended === run.ended;
      if (isSame) continue;
      const workflow = all.find(({ n }) => n === row.workflow);
      const contact = known.get(row.contact);
      if (!workflow || !contact) {
        fail(`run ${key} has no workflow or no contact`);
        continue;
      }
      if (run.wake === null) fail(`run ${key} moved after its end`);
      if ((run.wake ?? 0) > now) fail(`run ${key} moved ${(run.wake ?? 0) - now} ms early`);
      if (workflow.status !== "Sending") fail(`run ${key} moved while its workflow is ${workflow.status}`);
      const path = (JSON.parse(row.path) as [number][]).map(([k]) => k);
      const before = JSON.stringify(run);
      const wrong = move(model, run, workflow, contact, now, (k) => path[path.indexOf(k) + 1]);
      if (wrong) fail(`run ${key}: ${wrong}`);
      if (row.node !== run.node || row.since !== run.since || row.wake !== run.wake || row.ended !== run.ended)
        fail(`run ${key} is ${JSON.stringify(row)}, and the model has ${JSON.stringify(run)} after ${before}`);
      tell(`run ${key} → ${run.ended ?? run.node}`);
    }
    for (const [key, run] of Object.entries(model.runs)) {
      if (seen.has(key)) continue;
      const isOld = run.ended !== null && run.since <= now - 30 * DAY;
      const isNewest = !Object.values(model.runs).some(
        (one) => one.contact === run.contact && one.workflow === run.workflow && one.seq > run.seq,
      );
      if (!isOld || isNewest) fail(`run ${key} is gone`);
      delete model.runs[key];
    }
    const mails = sql
      .exec<{ mail: string }>(
        "SELECT m.id || ' ' || e.contact || ' ' || e.run AS mail FROM engagement e JOIN email_messages m ON m.n = e.message",
      )
      .toArray()
      .map(({ mail }) => mail)
      .sort();
    const expected = [...model.mails].sort();
    if (JSON.stringify(mails) !== JSON.stringify(expected)) fail(`mails ${mails.join()} instead of ${expected.join()}`);
    const snapshot = structuredClone(model);
    void disk.durable(forever).then(() => {
      durable = snapshot;
    });
  };

  const late = () => {
    const now = timeline.now();
    for (const { n, status, since } of workflows()) {
      if (status !== "Sending") continue;
      for (const run of Object.values(model.runs)) {
        if (run.workflow === n && run.wake !== null && now - Math.max(run.wake, since, crashed) > LATE)
          fail(`run ${run.key} is late`);
      }
    }
  };

  const byUser = () =>
    new Map(
      sql
        .exec<{ n: number; user_id: string }>("SELECT n, user_id FROM contacts")
        .toArray()
        .map((row) => [row.user_id, row.n]),
    );

  /** A request, and what the model makes of the contact before and after it. */
  const request = (userId: string, act: () => unknown, event?: string) => {
    const n = byUser().get(userId);
    const before = n === undefined ? undefined : contacts().get(n);
    act();
    const after = contacts().get(byUser().get(userId) ?? 0);
    if (!after) return;
    enter(model, workflows(), { before, after }, timeline.now());
    if (event !== undefined) enter(model, workflows(), { before: after, after, event }, timeline.now());
    check();
  };

  const fields = () => ({
    ...(random.chance(0.5) ? { plan: random.one(["free", "pro", "PRÖ", null]) } : {}),
    ...(random.chance(0.3) ? { seats: random.int(0, 6) } : {}),
    ...(random.chance(0.12) ? { subscribed: random.chance(0.5) } : {}),
    ...(random.chance(0.4) ? { mailingLists: { lst_1: random.chance(0.75) } } : {}),
  });
  const user = () => `u${random.int(1, 6)}`;
  const act = () => {
    const userId = user();
    const email = `${userId}@example.com`;
    const kind = random.int(0, 19);
    if (kind < 6) {
      const given = fields();
      tell(`update ${userId} ${JSON.stringify(given)}`);
      request(userId, () => engine.update({ userId, email, ...given }));
    } else if (kind < 12) {
      const eventName = random.one(["paid", "seen", "Paid"]);
      tell(`event ${eventName} ${userId}`);
      request(
        userId,
        () =>
          engine.send({
            userId,
            email,
            eventName,
            eventProperties: { amount: random.int(1, 9) },
            ...(random.chance(0.3) ? fields() : {}),
          }),
        eventName,
      );
    } else if (kind === 12) {
      const n = byUser().get(userId);
      tell(`delete ${userId}`);
      engine.remove({ userId });
      if (n === undefined) return;
      for (const [key, run] of Object.entries(model.runs)) if (run.contact === n) delete model.runs[key];
      for (const key of Object.keys(model.ever)) if (key.startsWith(`${n} `)) delete model.ever[key];
      model.mails = model.mails.filter((mail) => mail.split(" ")[1] !== String(n));
      check();
    } else if (kind === 13) {
      engine.suppress(email);
      model.suppressed.push(email);
      check();
    } else if (kind < 18) control();
    else edit();
  };

  const control = () => {
    const id = random.one(ids);
    const { n, status } = engine.workflow(id);
    const what = status === "Sending" ? random.one(["pause", "pause", "stop"] as const) : "start";
    tell(`${what} ${id}`);
    engine.control(id, what);
    sendingSince.set(n, timeline.now());
    check();
  };

  /** A change of a timer gives each run there the time that follows from it. */
  const restart = (n: number) => {
    const units = { m: MINUTE, h: 60 * MINUTE, d: DAY };
    const { graph } = workflows().find((one) => one.n === n) as ModelWorkflow;
    for (const run of Object.values(model.runs)) {
      const node = Object.values(graph.nodes).find(({ k }) => k === run.node);
      if (run.workflow !== n || run.wake === null || node?.typeName !== "TimerAction") continue;
      run.wake = node.amount === 0 ? run.since : Math.ceil((run.since + node.amount * units[node.unit]) / 1000) * 1000;
    }
  };

  const edit = () => {
    const id = random.one(ids);
    const { n, revision, graph } = engine.workflow(id);
    const asked = { workflowId: id, expectedRevisionId: random.chance(0.9) ? revision : "rev_old" };
    const timers = Object.entries(graph.nodes).filter(([, one]) => one.typeName === "TimerAction");
    const [nodeId, timer] = timers.length > 0 ? random.one(timers) : [undefined, undefined];
    const before = JSON.stringify(engine.workflow(id));
    const kind = random.int(0, 3);
    let answer: { body?: unknown; refusal?: { code: string } };
    if (kind === 0 && nodeId) {
      answer = engine.edit("updateNode", { ...asked, nodeId, payload: randomTimer(random) });
      restart(n);
    } else if (kind === 1 && nodeId && timer) {
      const queuedContactPolicy = random.one(["fail", "discard"]);
      const dryRun = random.chance(0.2);
      const waiting = Object.values(model.runs).filter(
        (run) => run.workflow === n && run.node === timer.k && run.wake !== null,
      );
      answer = engine.edit("deleteNode", { ...asked, nodeId, queuedContactPolicy, dryRun });
      const body = answer.body as { status: string; queuedContactCount: number } | undefined;
      if (body && body.queuedContactCount !== waiting.length)
        fail(`${waiting.length} contacts wait, and the answer is ${JSON.stringify(body)}`);
      if (body?.status === "deleted")
        for (const run of waiting) Object.assign(run, { since: timeline.now(), wake: null, ended: "node_deleted" });
      else if (JSON.stringify(engine.workflow(id)) !== before)
        fail("a deletion that was not made changed the workflow");
    } else if (kind === 2) {
      const toNodeId = random.one(Object.keys(graph.nodes));
      answer = engine.edit("createNode", { ...asked, insertMode: "before", nodeTypeName: "TimerAction", toNodeId });
    } else {
      const list = random.one([null, "lst_1"]);
      const known = contacts();
      const off = Object.values(model.runs).filter(
        (run) =>
          run.workflow === n && run.wake !== null && list !== null && !known.get(run.contact)?.lists.includes(list),
      );
      answer = engine.edit("changeMailingList", { ...asked, mailingListId: list, queuedContactPolicy: "discard" });
      if (answer.body)
        for (const run of off) Object.assign(run, { since: timeline.now(), wake: null, ended: "list_changed" });
    }
    if ((JSON.stringify(engine.workflow(id)) !== before) !== (engine.workflow(id).revision !== revision))
      fail("the workflow and its revision did not change together");
    if (asked.expectedRevisionId === "rev_old" && answer.refusal?.code !== "stale_revision")
      fail("a stale revision was taken");
    tell(`edit ${id} ${kind} ${answer.refusal?.code ?? "done"}`);
    check();
  };

  for (let i = random.int(1, 3); i > 0; i -= 1) {
    const id = engine.addWorkflow(`w${i}`, random.chance(0.3) ? "lst_1" : null);
    ids.push(id);
    if (random.chance(0.85)) engine.control(id, "start");
  }
  check();
  const days = random.one([3, 12, 80]);
  for (let i = random.int(20, 120); i > 0; i -= 1) timeline.in(random.int(MINUTE, days * DAY), act);
  for (let i = random.int(0, 6); i > 0; i -= 1) {
    const burst = Array.from({ length: random.int(10, 80) }, () => act);
    timeline.in(random.int(MINUTE, days * DAY), () => {
      for (const one of burst) timeline.in(random.int(0, 200), one);
    });
  }
  for (let i = random.one([0, 3, 15]); i > 0; i -= 1) timeline.in(random.int(MINUTE, days * DAY), () => crash());
  for (let at = 0; at < (days + 5) * DAY; at += random.int(1, 8 * 60) * MINUTE) timeline.in(at, () => engine.claim());

  const unlucky = random.one([0, 0, 0.02]);
  const crash = () => {
    tell("crash");
    engine.crash();
    model = structuredClone(durable);
    crashed = timeline.now();
    check();
  };

  let ringing = 0;
  const arm = () => {
    const at = disk.alarm();
    if (at === undefined || at === ringing) return;
    ringing = at;
    timeline.in(Math.max(1, at - timeline.now()), () => {
      if (ringing === at) ringing = 0;
      if (disk.alarm() === at) void engine.current().alarm();
    });
  };
  const end = START + (days + 5) * DAY;
  let steps = 0;
  for (; steps < MAX_STEPS && failures.length === 0; steps += 1) {
    if ((timeline.next() ?? Number.POSITIVE_INFINITY) > end) break;
    await timeline.step();
    arm();
    late();
    if (timeline.now() > START + MINUTE && random.chance(unlucky)) crash();
  }
  if (steps >= MAX_STEPS) fail("it spins");
  if (failures.length === 0) check();
  const counts: Record<string, number> = {
    entered: Object.values(model.entered).reduce((a, b) => a + b, 0),
    mails: model.mails.length,
    sent: sent.size,
  };
  for (const { ended } of Object.values(model.runs)) counts[ended ?? "active"] = (counts[ended ?? "active"] ?? 0) + 1;
  disk.close();
  return { failures, trace, steps, counts };
};
