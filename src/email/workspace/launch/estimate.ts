import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import { checkFilter } from "../../audience/check.ts";
import type { CountedAudience } from "../../types/workspace.ts";
import { audienceOf, evaluatorsOf, factsOf, lastContact } from "../audience/audience.ts";
import { ALWAYS_COUNTED, contactsBetween, SAMPLE } from "../audience/estimate.ts";
import { add, type Conditions, countExclusions, exclusionOf, neededBy } from "../audience/exclusions.ts";
import { drawNumbers, intervalOf } from "../audience/sample.ts";
import { filterOf, findSegment } from "../audience/segment-rows.ts";
import { teamFactsOf } from "../audience/team-facts.ts";
import { pause } from "../base/pause.ts";
import { findCampaign, type StoredCampaign } from "../campaigns/rows.ts";
import { contactsByNumber } from "../contacts/row.ts";
import { newestRevision, withoutFallback } from "../content/messages.ts";

/** Who a campaign is for. `of`: the same for the same list, segment, filter and needed properties. */
export type Aim = Conditions & { filters: readonly AudienceFilter[]; of: string };

export type Estimate = Omit<CountedAudience, "of"> & { exact: boolean; low: number; high: number; matching: number };

/** Who a campaign is for; undefined where its segment or a condition of its filter cannot be evaluated any more. */
export const aimOf = (
  sql: SqlStorage,
  {
    list,
    segment,
    segmentFilter,
    filter,
    message,
  }: Pick<StoredCampaign, "list" | "segment" | "segmentFilter" | "filter" | "message">,
): Aim | undefined => {
  const found = segment === null ? undefined : findSegment(sql, segment);
  const ofSegment = segmentFilter ?? (found && filterOf(found));
  if (segment !== null && !ofSegment) return undefined;
  const filters = [...(ofSegment ? [ofSegment] : []), ...(filter === null ? [] : [filter])];
  const team = teamFactsOf(sql);
  if (filters.some((one) => "refusal" in checkFilter(one, team, ""))) return undefined;
  const needed = neededBy(withoutFallback(newestRevision(sql, message)));
  return { list, filters, needed, of: JSON.stringify([list, filters, needed]) };
};

/** Counts the audience of a campaign in slices, where it was asked for or the team is small; else undefined. */
export const countAudience = async (
  sql: SqlStorage,
  campaignId: string,
  isExact: boolean,
  now: number,
): Promise<CountedAudience | undefined> => {
  const found = findCampaign({ sql }, campaignId);
  const aim = "refusal" in found ? undefined : aimOf(sql, found.campaign);
  if (!aim || (!isExact && lastContact(sql) > ALWAYS_COUNTED)) return undefined;
  const reasons = new Map<string, number>();
  const audience = audienceOf(sql, aim.filters, now);
  let total = 0;
  for (let after: number | undefined = 0; after !== undefined; ) {
    const { numbers, next }: ReturnType<typeof audience.slice> = audience.slice(after);
    for (const [reason, contacts] of countExclusions(sql, aim, numbers)) add(reasons, reason, contacts);
    total += contactsBetween(sql, after, next ?? audience.last);
    after = next;
    await pause();
  }
  const { "": recipients = 0, ...excluded } = Object.fromEntries(reasons);
  return { recipients, excluded, total, of: aim.of };
};

/** The counted numbers, or numbers from a sample. */
export const estimateOf = (sql: SqlStorage, aim: Aim, counted: CountedAudience | undefined, now: number): Estimate => {
  if (counted) {
    const { of: _of, ...tally } = counted;
    const { recipients } = tally;
    return { ...tally, exact: true, low: recipients, high: recipients, matching: recipients + sum(tally.excluded) };
  }
  const last = lastContact(sql);
  const drawn = drawNumbers(last, SAMPLE, now);
  const sample = contactsByNumber(sql, drawn);
  const evaluators = evaluatorsOf(sql, aim.filters);
  const reasons = new Map<string, number>();
  for (const contact of sample) {
    const facts = factsOf(sql, contact, now);
    if (evaluators.every((evaluator) => evaluator.matches(facts))) add(reasons, exclusionOf(sql, contact, aim), 1);
  }
  const scaled = (count: number) => Math.round((count / drawn.length) * last);
  const { "": hits = 0, ...excluded } = Object.fromEntries(reasons);
  const { contacts: recipients, low, high } = intervalOf(hits, drawn.length, last);
  const others = Object.fromEntries(Object.entries(excluded).map(([reason, count]) => [reason, scaled(count)]));
  return {
    ...{ recipients, exact: false, low, high },
    ...{ matching: recipients + sum(others), excluded: others, total: scaled(sample.length) },
  };
};

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, one) => total + one, 0);
