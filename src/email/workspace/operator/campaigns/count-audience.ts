import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { checkFilter } from "../../../policy/segments/check.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { findCampaign } from "../../campaigns/campaign-rows.ts";
import { newestRevision, withoutFallback } from "../../content/messages.ts";
import { createPause } from "../../core/between-slices.ts";
import type { Context } from "../../core/context.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import { dropKept, keepInRoom, readKept } from "../../core/kept-counts.ts";
import { audienceOf, lastContact } from "../../segments/audience.ts";
import { add, type Conditions, countExclusions, neededBy } from "../../segments/exclusions.ts";
import type { NamedFilter } from "../../segments/near-misses.ts";
import { filterOf, findSegment } from "../../segments/segment-rows.ts";
import { ALWAYS_COUNTED, contactsBetween } from "../../segments/segment-size.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";
import { readTeam } from "../../team/team.ts";
import { openedCursor, sealedCursor } from "./sealed-cursor.ts";
import { type Aimed, type Audience, withAudience } from "./unsaved-audience.ts";

/**
 * `excluded`: contacts without mail, by reason. `of`: equal for the same audience.
 * `after`: last counted row number; absent at the end. `kept`: counted earlier.
 */
export type CountedAudience = {
  of: string;
  recipients: number;
  excluded: Record<string, number>;
  total: number;
  after?: number;
  kept?: true;
};

/** The audience of a campaign. `of` is equal for the same list, segment, filter and needed properties. */
export type Aim = Conditions & { filters: readonly AudienceFilter[]; named: readonly NamedFilter[]; of: string };

/** Returns the audience of a campaign; undefined if its segment or filter cannot be evaluated. */
export const aimOf = (sql: SqlStorage, { list, segment, segmentFilter, filter, message }: Aimed): Aim | undefined => {
  const row = segment === null ? undefined : findSegment(sql, segment);
  const ofSegment = segmentFilter ?? (row && filterOf(row));
  if (segment !== null && !ofSegment) return undefined;
  const named = [
    ...(ofSegment ? [{ path: "segment.filter", filter: ofSegment }] : []),
    ...(filter === null ? [] : [{ path: "audienceFilter", filter }]),
  ];
  const filters = named.map((one) => one.filter);
  const team = teamFactsOf(sql);
  if (filters.some((one) => "refusal" in checkFilter(one, team, ""))) return undefined;
  const needed = neededBy(withoutFallback(newestRevision(sql, message)));
  return { list, filters, named, needed, of: JSON.stringify([list, filters, needed]) };
};

const COUNTED_SLICES = 10;
const KEPT_MS = 600_000;

/** `after`: the last counted row number; undefined at the end. In `reasons`, `""` stands for recipients. */
type Count = { after: number | undefined; total: number; reasons: Map<string, number> };

const digestOf = (text: string): number => {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return digest >>> 0;
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isReason = (entry: unknown): entry is [string, number] =>
  Array.isArray(entry) && entry.length === 2 && /^[a-z_]{0,30}$/.test(String(entry[0])) && isCount(entry[1]);

const readCount = (cursor: string | undefined, of: string): Count | "other" | undefined => {
  if (cursor === undefined) return { after: 0, total: 0, reasons: new Map() };
  const value = readCursor(cursor);
  if (!Array.isArray(value) || value.length !== 4) return undefined;
  const [digest, after, total, reasons] = value as unknown[];
  if (!isCount(digest) || !isCount(after) || !isCount(total)) return undefined;
  if (!Array.isArray(reasons) || !reasons.every(isReason)) return undefined;
  return digest === digestOf(of) ? { after, total, reasons: new Map(reasons) } : "other";
};

/** Returns why a request cannot use a cursor, or undefined. */
const cursorFault = (cursor: string | undefined, of: string): "other" | "invalid" | undefined => {
  const count = readCount(cursor, of);
  return count === "other" ? "other" : count ? undefined : "invalid";
};

export const nextOf = ({ of, after, total, recipients, excluded }: CountedAudience): string | null =>
  after === undefined ? null : cursorOf([digestOf(of), after, total, Object.entries({ "": recipients, ...excluded })]);

const keptName = (id: string): string => `audience of ${id}`;

export const keepCount = (context: Context, id: string, counted: CountedAudience): void =>
  keepInRoom(context, keptName(id), counted);

export const dropCount = (sql: SqlStorage, id: string): void => dropKept(sql, keptName(id));

const keptCount = (sql: SqlStorage, now: number, id: string, of: string): CountedAudience | undefined => {
  const kept = readKept<CountedAudience>(sql, keptName(id));
  const isGood = kept?.result.of === of && now - kept.at < KEPT_MS;
  return isGood ? { ...kept.result, kept: true } : undefined;
};

type Asked = { sql: SqlStorage; now: number; campaignId: string };

/** True if a team has so few contacts that they are always counted. */
export const isSmall = (sql: SqlStorage): boolean => lastContact(sql) <= ALWAYS_COUNTED;

const aimFor = (sql: SqlStorage, id: string, audience?: Audience | undefined): Aim | undefined => {
  const found = findCampaign({ sql }, id);
  const asked = "refusal" in found ? found : withAudience(sql, found.campaign, audience);
  return "refusal" in asked ? undefined : aimOf(sql, asked.campaign);
};

/**
 * Counts on request or for a small team, else returns undefined. One request counts for about 100 ms and returns a
 * cursor.
 */
const countForEstimate = async (
  { sql, now, campaignId }: Asked,
  { exact, cursor, audience }: { exact: boolean; cursor?: string | undefined; audience?: Audience | undefined },
): Promise<CountedAudience | undefined> => {
  const aim = aimFor(sql, campaignId, audience);
  if (!aim || (!exact && cursor === undefined && !isSmall(sql))) return undefined;
  return count(sql, now, aim, { cursor, slices: COUNTED_SLICES });
};

/** Returns the recent count, or counts a small team, for sending. Undefined in a large team without a count. */
export const countForSend = async ({ sql, now, campaignId }: Asked): Promise<CountedAudience | undefined> => {
  const aim = aimFor(sql, campaignId);
  if (!aim) return undefined;
  const kept = keptCount(sql, now, campaignId, aim.of);
  if (kept || !isSmall(sql)) return kept;
  return count(sql, now, aim, { cursor: undefined, slices: Number.POSITIVE_INFINITY });
};

const count = async (
  sql: SqlStorage,
  now: number,
  aim: Aim,
  { cursor, slices }: { cursor: string | undefined; slices: number },
): Promise<CountedAudience | undefined> => {
  const start = readCount(cursor, aim.of);
  if (!start || start === "other") return undefined;
  const { reasons } = start;
  let { after, total } = start;
  const audience = audienceOf(sql, aim.filters, now);
  const pause = createPause();
  for (let slice = 0; slice < slices && after !== undefined; slice++) {
    if (slice > 0) await pause();
    const { numbers, next }: ReturnType<typeof audience.slice> = audience.slice(after);
    for (const [reason, contacts] of countExclusions(sql, aim, numbers)) add(reasons, reason, contacts);
    total += contactsBetween(sql, after, next ?? audience.last);
    after = next;
  }
  const { "": recipients = 0, ...excluded } = Object.fromEntries(reasons);
  return { recipients, excluded, total, of: aim.of, ...(after === undefined ? {} : { after }) };
};

/** `fault`: why the cursor is refused. `next`: the next cursor. */
export type GoneOn = { counted?: CountedAudience | undefined; fault?: "other" | "invalid" | undefined; next?: string };

/** Continues a count for about 100 ms. A cursor that this Worker did not issue is refused. */
export const goOn = async (
  { sql, now }: Pick<Context, "sql" | "now">,
  input: AdminInput<"campaigns.estimate">,
  secret: string,
): Promise<GoneOn> => {
  const seal = { secret, team: readTeam(sql).slug, now };
  const found = findCampaign({ sql }, input.campaignId);
  const asked = "refusal" in found ? found : withAudience(sql, found.campaign, input.audience);
  const aim = "refusal" in asked ? undefined : aimOf(sql, asked.campaign);
  if (!aim) return {};
  const opened = input.cursor === undefined ? undefined : await openedCursor(seal, aim.of, input.cursor);
  // A cursor from another version of this Worker may have another form.
  const fault = typeof opened === "string" ? opened : cursorFault(opened?.cursor, aim.of);
  if (typeof opened === "string" || fault) return { fault };
  const counted = await countForEstimate(
    { sql, now, campaignId: input.campaignId },
    { ...input, cursor: opened?.cursor },
  );
  const next = counted && nextOf(counted);
  return { counted, ...(next ? { next: await sealedCursor(seal, counted.of, next) } : {}) };
};
