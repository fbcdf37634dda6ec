import type { ClaimedSend } from "../../../../../../src/email/types/mailer-rpc.ts";
import { createRandom } from "../../../../../workerd/simulation/random.ts";
import { createTimeline } from "../../../../../workerd/simulation/timeline.ts";
import { fewBudgetsOf } from "../../../workspace/sending/simulation/budgets.ts";
import { createBell } from "../../workflows/simulation/bell.ts";
import { checkMails, createPost } from "../../workflows/simulation/mails.ts";
import type { ObjectWorld } from "../../workflows/simulation/object.ts";
import { actOnContact, add } from "./acts.ts";
import type { Bug } from "./bugs.ts";
import { type Check, createCheck } from "./check.ts";
import { checkAlarm, checkEnd, checkRecipients, endsOf } from "./ends.ts";
import { createEngine } from "./engine.ts";
import { draft, editSegment, limit, operate, resume, retryDone, setLimits, startAny } from "./operate.ts";
import type { Play } from "./play.ts";
import { planted } from "./sizes.ts";
import { type Stored, storedIn } from "./stored.ts";
import { takeBack } from "./take-back.ts";
import { settingsOf } from "./world.ts";

const START = Date.UTC(2026, 0, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const QUIET_MS = 3_000;
const CALM = 100 * HOUR;
const MAX_STEPS = 30_000;
/** A planted bug may make a seed spin. */
const MAX_STEPS_WITH_BUG = 10_000;

export type Played = { failures: string[]; trace: string[]; steps: number; counts: Record<string, number> };

/**
 * Plays one schedule of campaigns, requests, faults and crashes against the engine and its model. At the end each
 * campaign has to be done.
 */
export const play = async (seed: number, bug: Bug = {}): Promise<Played> => {
  planted.nextStep = bug.nextStep ?? ((real) => real);
  planted.isAboutMail = bug.isAboutMail?.();
  const random = createRandom(seed);
  const moods = createRandom(seed + 5_000_000);
  const settings = { ...settingsOf(random.fork(), moods.fork()), ...bug.settings };
  const budgets = fewBudgetsOf(seed);
  const chances = createRandom(seed + 6_000_000);
  const confirming = createRandom(seed + 7_000_000);
  const early = createRandom(seed + 8_000_000);
  const timeline = createTimeline(START);
  let jumped = 0;
  let { mailers } = settings;
  let isDown = false;
  let isBlocked = false;
  let back = 0;
  let isCalm = false;
  const isCareful = settings.trouble === 0 && settings.hangs === 0 && settings.barred === 0 && settings.moody === 0;
  let isQuiet = isCareful && !budgets.isTight;
  const now = () => timeline.now() + jumped;
  const trace: string[] = [];
  const failures: string[] = [];
  const fail = (what: string) => void failures.push(`${(now() - START) / MINUTE} min: ${what}`);
  const failed = (error: unknown) => fail(`it threw ${error instanceof Error ? error.stack : error}`);
  const tell = (line: string) => void trace.push(`${now() - START} ${line}`);

  const most = (id: string): number => 1 + (check.state().again[id] ?? 0);
  const parts = { timeline, fail, tell, stored: () => stored, engine: () => engine, most };
  const post = createPost({ ...parts, random: random.fork() });
  const claimed = (sends: readonly ClaimedSend[]) => {
    post.claimed(sends);
    check.claimed(sends);
  };
  const receivers = random.fork();
  const withMailProvider = (send: ClaimedSend) => {
    post.withMailProvider(send);
    if (!send.marketing || !receivers.chance(settings.feedback)) return;
    const later = receivers.one(["delivered", "delivered", "hard", "complaint"] as const);
    const wait = receivers.int(1_000, 2 * HOUR);
    const isEarly = early.chance(0.3);
    const kind = isEarly ? "delayed" : later;
    timeline.in(isEarly ? early.int(0, 1_000) : wait, () => {
      if (most(send.id) > 1) return;
      tell(`${kind} ${send.id}`);
      if (kind === "hard") post.returned.add(send.id);
      engine.feedback(send.n, kind);
      check.check();
    });
  };
  const isBarred = (recipient: string): boolean =>
    settings.barred > 0 && Number(/\d+/.exec(recipient)?.[0] ?? 1) % settings.barred === 0;
  const refuses = ({ marketing, recipient }: ClaimedSend): boolean =>
    isBlocked || (marketing !== undefined && (isBarred(recipient) || (!isCalm && chances.chance(settings.moody))));
  const world: ObjectWorld = {
    timeline,
    now,
    random: random.fork(),
    bug,
    claimed,
    withMailProvider,
    failed,
    budgets,
    fail,
    trouble: settings.trouble,
    slices: settings.slices,
    runsOfSlice: 3,
    isDoubleOptIn: random.chance(0.2),
    mailProvider: "relay",
    pauseMs: settings.pauseMs,
    mailers: () => mailers,
    sliced: () => check.check(),
    smaller: settings.smaller,
    transactionalMailers: () => 1,
    faults: { hangs: settings.hangs, isDown: () => isDown, refuses },
  };
  const engine = createEngine(world);
  const { disk, sql } = engine;
  const bell = createBell({ timeline, now, object: () => engine, failed });
  const stored: Stored = storedIn(sql);
  const forever = { alive: true };
  const check: Check = createCheck({
    stored,
    now,
    fail,
    tell,
    durable: () => disk.durable(forever),
    returned: post.returned,
    back: () => back,
    shown: (id) => engine.campaign(id).counts,
    retryOf: (id) => engine.retryOf(id),
  });
  const played: Play = {
    random,
    engine,
    stored,
    check,
    now,
    fail,
    tell,
    mailers: world.mailers,
    people: 0,
    halves: random.one([0.1, 0.4]),
    segments: [],
  };

  const doing = (act: (given: Play) => void) => (): void => {
    try {
      if (!isCalm) act(played);
    } catch (error) {
      failed(error);
    }
  };
  const crash = () => {
    if (isCalm) return;
    tell("crash");
    engine.crash();
    stored.rolledBack();
    check.crashed();
  };
  let calmSince = START;
  const jump = () => {
    const by = random.one([1_000, MINUTE, 3 * HOUR, 26 * HOUR, -1_000, -MINUTE]);
    isQuiet = false;
    back += Math.max(0, -by);
    tell(`the clock jumps by ${by}`);
    jumped += by;
    calmSince = now();
    bell.jumped();
  };

  played.segments = ["s1", "s2"].map((name) => engine.addSegment(name, settings.segmentFilter()));
  for (let i = settings.people; i > 0; i -= 1) add(played);
  if (settings.limits) setLimits(played, settings.limits);
  for (let i = settings.workflows; i > 0; i -= 1) engine.control(engine.addWorkflow(`w${i}`, null), "start");
  const length = settings.hours * HOUR;
  const some = () => random.int(MINUTE, length);
  for (let i = random.int(1, 4); i > 0; i -= 1) {
    const at = random.one([1_000, some()]);
    timeline.in(at, doing(draft));
    if (random.chance(0.7)) timeline.in(at + random.int(1, 10_000), doing(startAny));
  }
  for (let i = random.int(5, 60); i > 0; i -= 1) timeline.in(some(), doing(actOnContact));
  for (let i = random.int(0, 25); i > 0; i -= 1) timeline.in(some(), doing(operate));
  for (let i = random.int(0, 4); i > 0; i -= 1) timeline.in(some(), doing(editSegment));
  for (let i = random.one([0, 0, 4]); i > 0; i -= 1) timeline.in(some(), doing(limit));
  for (let i = random.one([0, 0, 10]); i > 0; i -= 1)
    timeline.in(
      some(),
      doing(({ engine }) => engine.accept(random.int(1, 4))),
    );
  for (let i = random.int(1, 5); i > 0; i -= 1) {
    timeline.in(some(), () => {
      doing(startAny)();
      for (let n = random.int(3, 30); n > 0; n -= 1)
        timeline.in(random.int(0, 20_000), doing(random.one([actOnContact, actOnContact, operate, editSegment])));
      for (let n = random.int(0, 3); n > 0; n -= 1) timeline.in(random.int(0, 10_000), crash);
    });
  }
  for (let i = random.one([0, 3, 15]); i > 0; i -= 1) timeline.in(some(), crash);
  for (let i = random.one([0, 2, 5]); i > 0; i -= 1)
    timeline.in(some(), () => {
      isQuiet = false;
      engine.crashMailers();
    });
  for (let i = random.one([0, 0, 1, 3]); i > 0; i -= 1)
    timeline.in(some(), () => {
      isQuiet = false;
      mailers = 0;
      timeline.in(random.int(MINUTE, 30 * HOUR), () => {
        mailers = settings.mailers;
        engine.sendersAreBack();
      });
    });
  for (let i = random.one([0, 0, 1]); i > 0; i -= 1)
    timeline.in(some(), () => {
      isQuiet = false;
      isDown = true;
      timeline.in(random.int(MINUTE, 3 * HOUR), () => {
        isDown = false;
      });
    });
  for (let i = random.one([0, 0, 0, 3]); i > 0; i -= 1) timeline.in(some(), jump);
  const block = (ms: number) => {
    if (isCalm) return;
    isQuiet = false;
    isBlocked = true;
    tell(`the mail provider refuses every mail for ${ms} ms`);
    timeline.in(ms, () => {
      isBlocked = false;
    });
  };
  for (let i = moods.one([0, 0, 1, 3]); i > 0; i -= 1) {
    const ms = moods.one([5_000, 5 * MINUTE, 3 * HOUR]);
    timeline.in(moods.one([0, moods.int(0, MINUTE), moods.int(MINUTE, length)]), () => block(ms));
  }
  if (moods.chance(0.4))
    timeline.in(moods.int(length / 2, length - 1), () => {
      block(20 * MINUTE);
      doing(retryDone)();
    });
  // Separate random numbers, so that the other events do not change.
  for (let i = confirming.one([0, 0, 1, 2]); i > 0; i -= 1) {
    const at = confirming.int(MINUTE, length);
    timeline.in(
      at,
      doing((given) => takeBack(given, { random: confirming, timeline, doing })),
    );
    for (let n = confirming.int(0, 3); n > 0; n -= 1)
      timeline.in(at + confirming.int(1, 3) * MINUTE + confirming.int(100, 40_000), crash);
  }
  const deaths = createRandom(seed + 8_000_000);
  for (let i = deaths.one([0, 3, 10]); i > 0; i -= 1) {
    timeline.in(deaths.int(MINUTE, length), () => {
      if (isCalm) return;
      isQuiet = false;
      const isAlone = deaths.chance(0.7);
      tell(isAlone ? "a Mailer crashes" : "all crash");
      engine.crashMailers(isAlone);
      if (!isAlone) crash();
    });
  }
  const unlucky = random.one([0, 0, 0.02, 0.1]);

  const calm = () => {
    tell("everything works");
    isDown = false;
    isBlocked = false;
    mailers = settings.mailers;
    for (const campaign of Object.values(check.state().campaigns))
      if (campaign.state === "paused" || campaign.state === "held") doing(() => resume(played, campaign))();
    doing((given) => setLimits(given, [null, null, null]))();
    isCalm = true;
    engine.sendersAreBack();
  };
  timeline.in(length, calm);

  const end = START + length + CALM;
  const mostSteps = Object.keys(bug).length === 0 ? MAX_STEPS : MAX_STEPS_WITH_BUG;
  let steps = 0;
  for (; steps < mostSteps && failures.length === 0; steps += 1) {
    if ((timeline.next() ?? Number.POSITIVE_INFINITY) > end) break;
    await timeline.step();
    bell.arm();
    if ((timeline.next() ?? Number.POSITIVE_INFINITY) > timeline.now() + QUIET_MS) {
      check.check();
      checkAlarm(played);
      checkRecipients(played);
      check.late(calmSince);
    }
    if (timeline.now() > START + MINUTE && random.chance(unlucky)) crash();
  }
  if (steps >= mostSteps) fail("it spins");
  if (failures.length === 0) check.check();
  if (failures.length === 0) checkRecipients(played);
  if (failures.length === 0) checkMails(played, post);
  if (failures.length === 0) checkEnd(played, isQuiet);
  const counts: Record<string, number> = { ...endsOf(played), steps };
  disk.close();
  return { failures, trace, steps, counts };
};
