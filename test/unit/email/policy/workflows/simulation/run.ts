import type { Run } from "../../../../../../src/email/policy/workflows/run/types.ts";
import { createRandom } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { fewBudgetsOf } from "../../../workspace/sending/simulation/budgets.ts";
import { actOnContact } from "./acts.ts";
import { createBell } from "./bell.ts";
import { type Check, createCheck } from "./check.ts";
import { createCounts } from "./counts.ts";
import { addWorkflow, control, edit, editMessage, replaceWorkflow } from "./edits.ts";
import { type Bug, createEngine, type World } from "./engine.ts";
import { checkAlarm, checkMails, checkStories, createPost } from "./mails.ts";
import type { Play } from "./play.ts";
import { type Stored, storedIn } from "./stored.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
const QUIET_MS = 3_000;
const MAX_STEPS = 20_000;
/** A planted bug may make a seed spin. */
const MAX_STEPS_WITH_BUG = 8_000;

export type Played = { failures: string[]; trace: string[]; steps: number; counts: Record<string, number> };

/** Plays one schedule of requests, edits, pauses, clock jumps and crashes against the engine and its model. */
export const play = async (seed: number, bug: Bug = {}): Promise<Played> => {
  const random = createRandom(seed);
  const timeline = createTimeline(START);
  let jumped = 0;
  let mailers = random.int(1, 3);
  const broken = new Set<number>();
  let unfinished = 0;
  const now = () => timeline.now() + jumped;
  const trace: string[] = [];
  const failures: string[] = [];
  const fail = (what: string) => void failures.push(`${(now() - START) / MINUTE} min: ${what}`);
  const failed = (error: unknown) => fail(`it threw ${error instanceof Error ? error.stack : error}`);
  const tell = (line: string) => void trace.push(`${now() - START} ${line}`);

  const post = createPost({ timeline, random: random.fork(), fail, tell, stored: () => stored, engine: () => engine });
  const world: World = {
    timeline,
    now,
    random: random.fork(),
    bug,
    ...post,
    budgets: fewBudgetsOf(seed),
    fail,
    trouble: random.one([0, 0, 0.1]),
    mailers: () => mailers,
    slices: random.one([1, 2, 20]),
    runsOfSlice: random.one([1, 3]),
    isDoubleOptIn: random.chance(0.25),
    sliced: () => {
      if (stored.pending().size > 0) unfinished += 1;
      check.check(true);
    },
    fails: (run) => {
      const { contact, workflow, seq } = run as Run & { contact: number; workflow: number; seq: number };
      if (!broken.has(contact)) return false;
      check.threw(`${contact} ${workflow} ${seq}`);
      return true;
    },
    failed,
  };
  const engine = createEngine(world);
  const { disk, sql } = engine;
  const bell = createBell({ timeline, now, object: () => engine, failed });
  const stored: Stored = storedIn(sql);
  const forever = { alive: true };
  const check: Check = createCheck({ stored, now, fail, tell, durable: () => disk.durable(forever) });
  const played: Play = {
    random,
    engine,
    stored,
    check,
    now,
    fail,
    tell,
    mailers: world.mailers,
    halves: random.one([0.1, 0.3, 0.7]),
  };

  const kinds = [
    ...Array<typeof edit>(12).fill(actOnContact),
    control,
    control,
    control,
    control,
    edit,
    edit,
    edit,
    (given: Play) => random.one([edit, edit, editMessage, editMessage, replaceWorkflow])(given),
  ];
  const act = () => {
    try {
      random.one(kinds)(played);
    } catch (error) {
      failed(error);
    }
  };
  const crash = () => {
    tell("crash");
    engine.crash();
    stored.rolledBack();
    check.crashed();
  };
  const jump = () => {
    const by = random.one([1_000, MINUTE, 180 * MINUTE, 2 * DAY, -1_000, -MINUTE, -120 * MINUTE]);
    tell(`the clock jumps by ${by}`);
    jumped += by;
    bell.jumped();
    check.jumped();
  };

  for (let i = random.int(1, 3); i > 0; i -= 1) {
    addWorkflow(played, `w${i}`);
  }
  check.check();
  const days = random.one([3, 12, 80]);
  const some = () => random.int(MINUTE, days * DAY);
  for (let i = random.int(20, 120); i > 0; i -= 1) timeline.in(some(), act);
  for (let i = random.int(0, 6); i > 0; i -= 1) {
    const burst = Array.from({ length: random.int(10, 80) }, () => act);
    timeline.in(some(), () => {
      for (const one of burst) timeline.in(random.int(0, 200), one);
    });
  }
  for (let i = random.one([0, 3, 15]); i > 0; i -= 1) timeline.in(some(), crash);
  for (let i = random.one([0, 0, 2]); i > 0; i -= 1) timeline.in(some(), () => engine.crashMailers());
  for (let i = random.one([0, 2, 8]); i > 0; i -= 1) {
    timeline.in(some(), () => {
      mailers = 0;
      timeline.in(random.int(MINUTE, 40 * 60 * MINUTE), () => {
        mailers = random.int(1, 3);
        engine.sendersAreBack();
      });
    });
  }
  for (let i = random.one([0, 0, 0, 3]); i > 0; i -= 1) timeline.in(some(), jump);
  for (let i = random.one([0, 0, 3, 10]); i > 0; i -= 1) {
    timeline.in(some(), () => {
      const contact = random.int(1, 8);
      tell(`steps of contact ${contact} fail`);
      broken.add(contact);
      timeline.in(random.int(1, 2 * 1_440) * MINUTE, () => broken.delete(contact));
    });
  }
  const deaths = createRandom(seed ^ 0xdead);
  for (let i = deaths.one([0, 3, 10]); i > 0; i -= 1) {
    timeline.in(deaths.int(MINUTE, days * DAY), () => {
      const isAlone = deaths.chance(0.7);
      tell(isAlone ? "a Mailer crashes" : "all crash");
      engine.crashMailers(isAlone);
      if (!isAlone) crash();
    });
  }
  const unlucky = random.one([0, 0, 0.02]);

  const end = START + (days + 5) * DAY;
  const most = Object.keys(bug).length === 0 ? MAX_STEPS : MAX_STEPS_WITH_BUG;
  const checkCounts = createCounts(played);
  let quiet = 0;
  let steps = 0;
  for (; steps < most && failures.length === 0; steps += 1) {
    if ((timeline.next() ?? Number.POSITIVE_INFINITY) > end) break;
    await timeline.step();
    bell.arm();
    if ((timeline.next() ?? Number.POSITIVE_INFINITY) > timeline.now() + QUIET_MS) {
      checkAlarm(played);
      check.late();
      quiet += 1;
      if (quiet % 10 === 0) checkCounts();
    }
    if (timeline.now() > START + MINUTE && random.chance(unlucky)) crash();
  }
  if (steps >= most) fail("it spins");
  if (failures.length === 0) check.check();
  if (failures.length === 0) checkCounts();
  if (failures.length === 0) checkStories(played);
  if (failures.length === 0) checkMails(played, post);
  const state = check.state();
  const counts: Record<string, number> = {
    entered: Object.values(state.entered).reduce((a, b) => a + b, 0),
    mails: state.mails.length,
    sent: post.copies.size,
  };
  for (const { ended } of Object.values(state.runs)) counts[ended ?? "active"] = (counts[ended ?? "active"] ?? 0) + 1;
  if (unfinished > 0) counts["unfinished edit"] = unfinished;
  disk.close();
  return { failures, trace, steps, counts };
};
