import { MINUTE_MS } from "../../../../lib/util/dates.ts";
import { schemaVersion } from "../../../../lib/util/migrate.ts";
import type { MailClass } from "../../../types/mail-handover.ts";
import type { OpenMails, Problem, ProblemKind, Pulse, QueueState } from "../../../types/pulse.ts";
import type { Context } from "../../core/context.ts";
import { reachedShares, sizeOf } from "../../core/size.ts";
import { nextDue } from "../../sending/sends.ts";
import { IS_HELD } from "../../sending/waiting-mails.ts";
import { readTeam } from "../../team/team.ts";
import { attentionOf } from "./attention.ts";

const CLASSES: readonly MailClass[] = ["transactional", "marketing"];
const COUNTED = 10_000;
/** Held campaigns with an alert: one that is left out would be over. */
const MOST_CAMPAIGNS = 1_000;
/** In ms without a result, although mail could leave. */
const STALLED_MS = MINUTE_MS;

/** Facts that only the object knows. `opensAt`: earliest claim, Unix ms. `startedAt`: of the object. */
export type ObjectFacts = {
  alarm: number | null;
  wasLost: boolean;
  startedAt: number;
  alarmProblem: string | undefined;
  results: Pulse["results"];
  hasSender(mailClass: MailClass): boolean;
  opensAt(mailClass: MailClass): number;
  claimsOf(mailClass: MailClass): Omit<QueueState, "oldestDue">;
};

/** Returns the state of a team from few rows. It writes nothing. */
export const pulseOf = (context: Context, facts: ObjectFacts): Pulse => {
  const { sql, now } = context;
  const queues = {
    transactional: queueOf(context, facts, "transactional"),
    marketing: queueOf(context, facts, "marketing"),
  };
  const { slug: team } = readTeam(sql);
  const { bytes, limitBytes } = sizeOf(context);
  return {
    at: now,
    schema: schemaVersion(sql),
    bytes,
    limitBytes,
    alarm: facts.alarm,
    wasLost: facts.wasLost,
    queues,
    problems: [
      ...failing(team, facts),
      ...stalled(team, now, queues, facts),
      ...large(team, context),
      ...inAttention(team, context),
    ],
    results: facts.results,
  };
};

/** Counts at most 10 000 open mails of each class. */
export const openMailsOf = ({ sql }: Pick<Context, "sql">): OpenMails[] =>
  CLASSES.flatMap((mailClass) =>
    sql
      .exec<{ state: string; count: number }>(
        `SELECT iif(${IS_HELD}, 'held', state) AS state, count(*) AS count
         FROM (SELECT state, origin FROM sends WHERE class = ? AND due IS NOT NULL LIMIT ${COUNTED}) GROUP BY 1`,
        mailClass,
      )
      .toArray()
      .map(({ state, count }) => ({ mailClass, state, count })),
  );

const queueOf = (
  { sql, now }: Context,
  { hasSender, opensAt, claimsOf }: ObjectFacts,
  mailClass: MailClass,
): QueueState => {
  const due = nextDue(sql, mailClass);
  const mayLeave = hasSender(mailClass) && opensAt(mailClass) <= now && due <= now;
  return { oldestDue: mayLeave ? due : null, ...claimsOf(mailClass) };
};

const failing = (team: string, { alarmProblem }: ObjectFacts): Problem[] =>
  alarmProblem === undefined
    ? []
    : [{ kind: "team.failing", subject: team, message: `The work of the team fails: ${alarmProblem}`, data: { team } }];

const stalled = (team: string, now: number, queues: Pulse["queues"], { startedAt }: ObjectFacts): Problem[] =>
  CLASSES.flatMap((mailClass): Problem[] => {
    const { oldestDue, silentSince, lastResult, claims } = queues[mailClass];
    const since = Math.max(startedAt, lastResult ?? 0, Math.min(oldestDue ?? now, silentSince ?? now));
    if (now - since < STALLED_MS) return [];
    const minutes = Math.floor((now - since) / MINUTE_MS);
    const message = `Mail could leave, and there was no result of ${mailClass} mail for ${minutes} min.`;
    const data = { team, mailClass, minutes, claims };
    return [{ kind: "queue.stalled", subject: `${team}/${mailClass}`, message, data }];
  });

const large = (team: string, context: Context): Problem[] =>
  reachedShares(context).map(({ percent, text: message }) => {
    const megabytes = Math.round(context.sql.databaseSize / 1e6);
    return { kind: "database.large", subject: `${team}/${percent}`, message, data: { team, percent, megabytes } };
  });

const KINDS: ReadonlyMap<string, ProblemKind> = new Map([
  ["campaign_held", "campaign.held"],
  ["bounce_wave", "bounces.wave"],
  ["domain_broken", "domain.broken"],
  ["unknown_mails", "mails.unknown"],
]);

const inAttention = (team: string, context: Context): Problem[] =>
  attentionOf(context, false, MOST_CAMPAIGNS).flatMap(({ kind: name, text: message, ids }) => {
    const kind = KINDS.get(name);
    const [id] = Object.values(ids);
    return kind ? [{ kind, subject: id === undefined ? team : `${team}/${id}`, message, data: { team, ...ids } }] : [];
  });
