import { randomFilter } from "../../workflows/simulation/random-graph.ts";
import type { Act, Draft, Limits } from "./engine.ts";
import { withLimits } from "./limits.ts";
import { control as change, isHeldAtStart, type ModelCampaign, notBegun, sendCampaign } from "./model.ts";
import type { Play } from "./play.ts";

const MINUTE = 60_000;
const MOST_CAMPAIGNS = 6;

const campaignsOf = ({ check }: Play): ModelCampaign[] => Object.values(check.state().campaigns);

const filterOf = (play: Play) =>
  randomFilter(
    play.random,
    campaignsOf(play).map(({ id }) => ({ target: "campaign" as const, id })),
  );

const audienceOf = (play: Play): Draft => {
  const { random, segments } = play;
  return {
    mailingListId: random.chance(0.4) ? "lst_1" : null,
    audienceSegmentId: random.chance(0.4) ? random.one(segments) : null,
    audienceFilter: random.chance(0.4) ? filterOf(play) : null,
  };
};

const scheduling = ({ random, now }: Play): NonNullable<Draft["scheduling"]> =>
  random.chance(0.6)
    ? { method: "now" }
    : { method: "schedule", timestamp: now() + random.int(1, random.one([10, 600, 4_000])) * MINUTE };

export const draft = (play: Play, when = scheduling): number | undefined => {
  const { engine, stored, check, tell, fail } = play;
  if (campaignsOf(play).length >= MOST_CAMPAIGNS) return undefined;
  const given = { ...audienceOf(play), scheduling: when(play) };
  const { body, refusal } = engine.addCampaign(`c${campaignsOf(play).length + 1}`, given);
  if (refusal) fail(`a draft was refused: ${refusal.code}`);
  const { id } = body as { id: string };
  const row = stored.campaigns().find((one) => one.id === id);
  if (!row) throw new Error(`The draft ${id} is not there.`);
  check.state().campaigns[row.n] = {
    n: row.n,
    id,
    message: row.message,
    status: "Draft",
    state: null,
    reason: null,
    scheduledAt: null,
    ...notBegun(),
    resumedAt: 0,
    isAgain: false,
    asked: [],
    wanted: [],
    retried: 0,
  };
  tell(`draft ${id} ${JSON.stringify(given)}`);
  check.check();
  return row.n;
};

const editDraft = (play: Play, { id, status }: ModelCampaign): void => {
  const { engine, fail, tell } = play;
  const changes = { ...audienceOf(play), scheduling: scheduling(play) };
  const { refusal } = engine.editCampaign(id, changes);
  tell(`edit ${id} ${JSON.stringify(changes)} ${refusal?.code ?? "done"}`);
  if ((refusal === undefined) !== (status === "Draft")) fail(`an edit of ${id} was answered with ${refusal?.code}`);
};

/** Sends or schedules a draft, with a new time if its time has passed. `confirmed`: recipients of a later start. */
export const start = (play: Play, campaign: ModelCampaign, confirmed: number | null = null): void => {
  const { engine, stored, now } = play;
  const rowOf = () => stored.campaigns().find(({ n }) => n === campaign.n);
  if ((rowOf()?.scheduledAt ?? Number.POSITIVE_INFINITY) <= now())
    engine.editCampaign(campaign.id, { scheduling: { method: "now" } });
  const row = rowOf();
  if (!row) throw new Error(`The draft ${campaign.id} is not there.`);
  const segment = row.segment === null ? null : (stored.segments().get(row.segment) ?? null);
  const isScheduled = row.scheduledAt !== null;
  if (isScheduled) engine.schedule(campaign.id, confirmed);
  else engine.act(campaign.id, "start");
  campaign.scheduledAt = row.scheduledAt;
  sendCampaign(
    campaign,
    { list: row.list, segment, filter: row.filter },
    isScheduled ? undefined : stored.lastContact(),
  );
  campaign.confirmed = isScheduled ? confirmed : null;
};

const retry = ({ engine, stored, fail }: Play, campaign: ModelCampaign): void => {
  const { id, state } = campaign;
  const { pass = null } = stored.campaigns().find((row) => row.id === id) ?? {};
  const before = JSON.stringify(engine.retryOf(id));
  const unknown = state === "cancelled" ? [] : stored.mailsOfCampaign(id).filter((mail) => mail.state === "unknown");
  const asked = engine.retry(id);
  if (asked === "busy") {
    fail(`${id} has unknown mails while recipients of a start that was taken back are deleted`);
    return;
  }
  if (pass === "retry") {
    if (JSON.stringify(asked) !== before) fail(`${id} is asked to retry again, and answers ${JSON.stringify(asked)}`);
    return;
  }
  if ((asked?.unknown ?? 0) !== unknown.length || (asked?.retried ?? 0) !== 0)
    fail(`${id} retries ${JSON.stringify(asked)}, of ${unknown.length} unknown mails`);
  if (unknown.length === 0) return;
  campaign.asked = unknown.map((mail) => mail.id);
  campaign.wanted = unknown.map(({ id: mail, contact }) => ({ id: mail, contact }));
  campaign.retried = 0;
};

const choicesOf = (campaign: ModelCampaign): readonly (Act | "edit" | "hold" | "retry")[] => {
  const { status, state } = campaign;
  if (status === "Draft") return ["start", "start", "start", "edit"];
  if (status === "Scheduled") return ["unschedule", "cancel", "edit", "resume"];
  if (status === "Sent") return ["retry", "retry", "edit", "pause", "cancel"];
  if (isHeldAtStart(campaign)) return ["resume", "unschedule", "unschedule", "pause", "cancel", "retry"];
  if (state === "paused" || state === "held") return ["resume", "resume", "resume", "pause", "cancel", "retry"];
  return ["pause", "pause", "pause", "hold", "resume", "cancel", "retry", "edit"];
};

const isWaiting = ({ state }: ModelCampaign): boolean => state === "paused" || state === "held";

const confirm = (play: Play, campaign: ModelCampaign): boolean => {
  const { random, engine, tell, fail } = play;
  const { ready } = engine.campaign(campaign.id);
  const isAsked = campaign.reason === "more_recipients";
  const expected = random.one([undefined, ready, ready, ready + 5]);
  const { refusal } = engine.resume(campaign.id, expected);
  tell(`resume ${campaign.id} with ${expected}: ${refusal?.code ?? "done"}`);
  const isRefused = isAsked && expected !== ready;
  if ((refusal?.code === "audience_changed") !== isRefused)
    fail(`${campaign.id} has ${ready} recipients, and ${expected} were confirmed: ${refusal?.code}`);
  if (!refusal && expected !== undefined) campaign.confirmed = expected;
  return !refusal;
};

export const operate = (play: Play): void => {
  const all = campaignsOf(play);
  if (all.length > 0) operateOn(play, play.random.one(all));
};

export const operateOn = (play: Play, campaign: ModelCampaign): void => {
  const { random, engine, stored, check, tell } = play;
  const what = random.one(choicesOf(campaign));
  tell(`${what} ${campaign.id}`);
  if (what === "edit") editDraft(play, campaign);
  else if (what === "start") start(play, campaign);
  else if (what === "retry") retry(play, campaign);
  else if (what === "hold") {
    engine.hold(campaign.id, "bounce_rate");
    Object.assign(campaign, { state: "held", reason: "bounce_rate" });
  } else if (what === "resume" && isHeldAtStart(campaign)) {
    if (confirm(play, campaign)) change(campaign, what, stored.lastContact());
  } else if (what !== "schedule") {
    engine.act(campaign.id, what);
    if (what === "resume" && isWaiting(campaign)) campaign.resumedAt = play.now();
    change(campaign, what, stored.lastContact());
  }
  check.check();
};

export const startAny = (play: Play): void => {
  const next = campaignsOf(play).find(({ status }) => status === "Draft");
  if (!next) return;
  play.tell(`start ${next.id}`);
  start(play, next);
  play.check.check();
};

export const retryDone = (play: Play): void => {
  for (const campaign of campaignsOf(play)) {
    if (campaign.state !== "done") continue;
    play.tell(`retry ${campaign.id}`);
    retry(play, campaign);
  }
  play.check.check();
};

export const resume = ({ engine, stored, check, tell, now }: Play, campaign: ModelCampaign): void => {
  tell(`resume ${campaign.id}`);
  engine.act(campaign.id, "resume");
  campaign.resumedAt = now();
  change(campaign, "resume", stored.lastContact());
  check.check();
};

export const editSegment = (play: Play): void => {
  const { random, engine, segments, check, tell } = play;
  const [id, filter] = [random.one(segments), filterOf(play)];
  if (filter === null) return;
  tell(`segment ${id} ${JSON.stringify(filter)}`);
  engine.editSegment(id, filter);
  check.check();
};

export const setLimits = ({ engine, check, tell }: Play, limits: Limits): void => {
  tell(`limits ${limits.join()}`);
  engine.limit(limits);
  const state = check.state();
  state.limits = withLimits(state.limits, limits);
  check.check();
};

export const limit = (play: Play): void => {
  const { random } = play;
  setLimits(play, [random.one([null, 1, 3]), random.one([null, null, 4, 20]), random.one([null, null, 10, 60])]);
};
