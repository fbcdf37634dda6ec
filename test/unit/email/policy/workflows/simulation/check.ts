import { emptyModel, finish, leave, type ModelRun, type ModelState, type ModelWorkflow, move } from "./model.ts";
import type { RunRow, Stored } from "./stored.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const LATE = MINUTE;

export type Checked = {
  stored: Stored;
  now(): number;
  fail(what: string): void;
  tell(line: string): void;
  durable(): Promise<void>;
};

export const createCheck = ({ stored, now, fail, tell, durable }: Checked) => {
  let state: ModelState = emptyModel();
  let safe = structuredClone(state);
  let latest = 0;
  const calm = new Map<number, number>();
  let calmForAll = now();
  const failed = new Set<string>();
  const waited = new Map<number, number>();

  const known = (): ModelWorkflow[] =>
    stored.workflows().flatMap((one) => {
      const settings = state.settings[one.n];
      return settings ? [{ ...one, ...settings }] : [];
    });

  /** A failed run is put off, and given up after five failures. */
  const putOff = (run: ModelRun): void => {
    run.failures += 1;
    if (run.failures < 5) run.wake = now() + run.failures * MINUTE;
    else {
      leave(state, run, "fault");
      finish(state, run, "fault", now());
    }
  };

  const dueOf = (n: number, at: number): ModelRun[] =>
    Object.values(state.runs).filter((run) => run.workflow === n && run.wake !== null && run.wake <= at);

  const moved = (run: ModelRun, row: RunRow, workflow: ModelWorkflow): void => {
    const at = now();
    const contact = stored.contacts().get(row.contact);
    if (!contact) {
      fail(`run ${run.key} has no contact`);
      return;
    }
    if (run.wake === null) fail(`run ${run.key} moved after its end`);
    if ((run.wake ?? 0) > at) fail(`run ${run.key} moved ${(run.wake ?? 0) - at} ms early`);
    if ([...stored.pending()].some((key) => key.split(" ")[1] === String(row.workflow)))
      fail(`run ${run.key} moved before the changes of an edit were made`);
    if (workflow.status !== "Sending") fail(`run ${run.key} moved while its workflow is ${workflow.status}`);
    const path = (JSON.parse(row.path) as [number][]).map(([k]) => k);
    const seen = path.slice(run.path.length);
    const before = JSON.stringify(run);
    const activity = stored.activityOf(row.contact);
    const given = { workflow, contact, activity, messagesOf: stored.messagesOf(), now: at, seen };
    const hasFailed = failed.delete(run.key);
    if (!hasFailed) run.failures = 0;
    const wrong = hasFailed ? putOff(run) : move(state, run, given);
    if (wrong) fail(`run ${run.key}: ${wrong}`);
    if (!isSame(run, row) || JSON.stringify(path) !== JSON.stringify(run.path))
      fail(`run ${run.key} is ${JSON.stringify(row)}, and the model has ${JSON.stringify(run)} after ${before}`);
    tell(`run ${run.key} → ${run.ended ?? run.node}`);
  };

  const inOrder = (wakes: readonly [ModelRun, number][], rows: ReadonlyMap<string, RunRow>): void => {
    for (const n of new Set(wakes.map(([run]) => run.workflow))) {
      const last = Math.max(...wakes.filter(([run]) => run.workflow === n).map(([, wake]) => wake));
      const passed = dueOf(n, now()).find((run) => (run.wake ?? 0) < last && rows.get(run.key)?.wake === run.wake);
      if (passed) fail(`run ${passed.key} was due before others, which moved`);
      waited.delete(n);
      const due = known().filter((one) => one.status === "Sending" && dueOf(one.n, now()).length > 0);
      for (const other of due) {
        if (other.n === n) continue;
        const slices = (waited.get(other.n) ?? 0) + 1;
        waited.set(other.n, slices);
        if (slices > 2 * (due.length + 1)) fail(`workflow ${other.n} has waited for ${slices} slices of others`);
      }
    }
  };

  const gone = (key: string, run: ModelRun, workflows: readonly ModelWorkflow[]): void => {
    delete state.runs[key];
    if (!workflows.some(({ n }) => n === run.workflow)) return;
    const isOld = run.ended !== null && run.since <= latest - 30 * DAY;
    const hasNewer = Object.values(state.runs).some(
      (one) => one.contact === run.contact && one.workflow === run.workflow && one.seq > run.seq,
    );
    if (!isOld || !hasNewer) fail(`run ${key} is gone`);
  };

  const check = (isSlice = false): void => {
    latest = Math.max(latest, now());
    const workflows = known();
    for (const { id, n, status, pausedAt, list } of stored.workflows()) {
      const settings = JSON.stringify({ status, pausedAt, list });
      const wanted = JSON.stringify(state.settings[n]);
      if (settings !== wanted) fail(`${id} is ${settings}, and the model has ${wanted}`);
    }
    const byN = new Map(workflows.map((one) => [one.n, one]));
    const rows = new Map(stored.runs().map((row) => [`${row.contact} ${row.workflow} ${row.seq}`, row]));
    const wakes: [ModelRun, number][] = [];
    const pending = stored.pending();
    for (const [key, row] of rows) {
      if ((row.wake === null) !== (row.ended !== null)) fail(`run ${key} neither waits nor has ended`);
      const workflow = byN.get(row.workflow);
      // A deleted workflow keeps its rows until a chore deletes them.
      if (!workflow) continue;
      const run = state.runs[key];
      if (!run) {
        fail(`run ${key} should not exist`);
        continue;
      }
      if (pending.has(key) || isSame(run, row)) continue;
      if (run.wake !== null) wakes.push([run, run.wake]);
      moved(run, row, workflow);
      const rests = Object.values(workflow.graph.nodes).find(({ k }) => k === run.node);
      const isAtRoot = rests?.k === workflow.graph.nodes[workflow.graph.root]?.k && run.failures > 0;
      if (run.wake !== null && rests?.typeName !== "TimerAction" && !isAtRoot)
        fail(`run ${key} waits at a ${rests?.typeName}`);
    }
    for (const [key, run] of Object.entries(state.runs)) if (!rows.has(key)) gone(key, run, workflows);
    if (isSlice) inOrder(wakes, rows);
    const mails = stored.mails();
    const live = new Set(stored.messages().flatMap(({ id, workflow }) => (byN.has(workflow) ? [id] : [])));
    const expected = state.mails.filter((mail) => live.has(mail.slice(0, mail.indexOf(" ")))).sort();
    if (JSON.stringify(mails) !== JSON.stringify(expected)) fail(`mails ${mails.join()} instead of ${expected.join()}`);
    const snapshot = structuredClone(state);
    void durable().then(() => {
      safe = snapshot;
    });
  };

  return {
    state: () => state,
    workflows: known,
    threw: (key: string) => void failed.add(key),
    check,
    crashed: () => {
      state = structuredClone(safe);
      calmForAll = now();
      waited.clear();
      failed.clear();
      check();
    },
    jumped: () => {
      calmForAll = now();
    },
    started: (n: number) => void calm.set(n, now()),
    late: (): void => {
      for (const { n, status } of known()) {
        if (status !== "Sending") continue;
        const since = Math.max(calmForAll, calm.get(n) ?? 0);
        for (const run of Object.values(state.runs))
          if (run.workflow === n && run.wake !== null && now() - Math.max(run.wake, since) > LATE)
            fail(`run ${run.key} is late`);
      }
    },
  };
};

export type Check = ReturnType<typeof createCheck>;

const isSame = (run: ModelRun, row: RunRow): boolean =>
  row.node === run.node && row.since === run.since && row.wake === run.wake && row.ended === run.ended;
