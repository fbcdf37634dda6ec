import type { AudienceFilter } from "../../../../../lib/contract/audience/filter.ts";
import type { Request, Response } from "../../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../../lib/contract/v1.ts";
import { isSame, type Kept as KeptOf, keptSince as sinceOf, typedOver } from "../../../parts/acts/kept.ts";
import { type Filter, filterDraftOf, filterOf, problemsIn, type Types } from "../../segments/draft.ts";
import { gapText, instantOf, localOf } from "./local-time.ts";

export type Campaign = Response<V1["campaigns"]["get"]>;

/** A campaign as it is typed. `filter`: its own conditions; null where it has none. `at`: a time of this browser's zone, such as "2026-01-31T09:30". */
export type Draft = {
  name: string;
  group: string;
  list: string | null;
  segment: string | null;
  filter: Filter | null;
  method: "now" | "schedule";
  at: string;
};

/** What a person has typed and not saved, by field. `was`: what was stored when they began. */
export type Kept = KeptOf<Draft>;

/** A stored campaign as a person edits it. */
export const draftOf = (campaign: Campaign, types: Types): Draft => {
  const { name, campaignGroupId, mailingListId, audienceSegmentId, audienceFilter, scheduling } = campaign;
  return {
    name,
    group: campaignGroupId,
    list: mailingListId,
    segment: audienceSegmentId,
    filter: audienceFilter && filterDraftOf(audienceFilter, types),
    method: scheduling.method,
    at: scheduling.timestamp === null ? "" : localOf(scheduling.timestamp),
  };
};

const FIELDS = ["name", "group", "list", "segment", "filter", "method", "at"] as const;

/** The fields that a person has changed, in the order of the page. A time that is not asked for makes no difference. */
export const changedFields = (stored: Draft, kept: Kept): (keyof Draft)[] => {
  const draft = draftWith(stored, kept);
  return FIELDS.filter((name) => !isSame(draft[name], stored[name]) && (name !== "at" || draft.method === "schedule"));
};

/** The stored campaign with what a person has typed over it. */
export const draftWith = (stored: Draft, kept: Kept): Draft => typedOver(stored, kept);

/** Fields that are one field for the service: a save of one of them writes the others of its row too. */
const TOGETHER: readonly (readonly (keyof Draft)[])[] = [
  ["segment", "filter"],
  ["method", "at"],
];
const togetherWith = (name: keyof Draft): readonly (keyof Draft)[] =>
  TOGETHER.find((names) => names.includes(name)) ?? [name];

/** What is kept after another change. A field keeps what was stored when it was changed first, and so do those that are saved with it. */
export const keptWith = (kept: Kept, stored: Draft, changes: Partial<Draft>): Kept => {
  const before = draftWith(stored, kept);
  const names = new Set((Object.keys(changes) as (keyof Draft)[]).flatMap(togetherWith));
  const added = [...names].map((name) => [
    name,
    { was: (kept[name] ?? { was: stored[name] }).was, now: name in changes ? changes[name] : before[name] },
  ]);
  return { ...kept, ...Object.fromEntries(added) };
};

/** What is kept after `sent` was saved: what was typed since, over what is stored now. */
export const keptSince = (sent: Kept, typed: Kept, stored: Draft): Kept => sinceOf(sent, typed, stored, togetherWith);

/** The fields that another person has saved since this person began to change them, with those that are saved with them. */
export const conflictsIn = (stored: Draft, kept: Kept): (keyof Draft)[] => {
  const changed = changedFields(stored, kept);
  const isTheirs = (name: keyof Draft) => kept[name] !== undefined && !isSame(kept[name].was, stored[name]);
  return FIELDS.filter((name) => {
    const names = togetherWith(name);
    return name in kept && names.some(isTheirs) && names.some((one) => changed.includes(one));
  });
};

/** The conflicts that a person has not seen: `shown` is what the page has as stored, `stored` what was read just now. */
export const newConflicts = (shown: Draft, stored: Draft, kept: Kept): (keyof Draft)[] =>
  conflictsIn(stored, kept).filter((name) => !isSame(shown[name], stored[name]));

/** The filter of a draft without problems; null where it has none. */
const storedFilter = ({ filter }: Draft, types: Types): AudienceFilter | null => filter && filterOf(filter, types);

/** The audience of a draft, as the service counts it; undefined while a condition is not whole. */
export const audienceOf = (draft: Draft, types: Types) => {
  if (draft.filter && Object.keys(problemsIn(draft.filter, types)).length > 0) return undefined;
  const { list: mailingListId, segment: audienceSegmentId } = draft;
  return { mailingListId, audienceSegmentId, audienceFilter: storedFilter(draft, types) };
};

type Changes = Omit<Request<V1["campaigns"]["update"]>, "campaignId">;

/**
 * The request that saves the changed fields of a draft without problems. Segment and filter travel together: one of them alone clears the
 * other.
 */
export const requestOf = (draft: Draft, changed: readonly (keyof Draft)[], types: Types): Changes => {
  const has = (...names: (keyof Draft)[]) => names.some((name) => changed.includes(name));
  const { segment: audienceSegmentId } = draft;
  return {
    ...(has("name") ? { name: draft.name.trim() } : {}),
    ...(has("group") ? { campaignGroupId: draft.group } : {}),
    ...(has("list") ? { mailingListId: draft.list } : {}),
    ...(has("segment", "filter") ? { audienceSegmentId, audienceFilter: storedFilter(draft, types) } : {}),
    ...(has("method", "at")
      ? {
          scheduling:
            draft.method === "now"
              ? { method: "now" as const }
              : { method: "schedule" as const, timestamp: instantOf(draft.at) },
        }
      : {}),
  };
};

/** What is wrong in a draft, by its field; conditions have their own problems. `now`: Unix ms. */
export const problemsOf = (draft: Draft, now: number): Partial<Record<keyof Draft, string>> => ({
  ...(draft.name.trim() === "" ? { name: "Give it a name." } : {}),
  ...(draft.method === "schedule" ? timeProblem(draft.at, now) : {}),
});

const timeProblem = (at: string, now: number): { at?: string } => {
  const instant = instantOf(at);
  if (instant === undefined) return { at: "Give a date and a time." };
  const gap = gapText(at);
  if (gap !== undefined) return { at: gap };
  return Date.parse(instant) <= now ? { at: "This time has passed. Give another one." } : {};
};

/** The field of the page that a refusal or a problem is about, by its `path`; undefined where it is about none. */
export const fieldOfPath = (path: string | null | undefined): keyof Draft | undefined => {
  const at = path?.replace(/^audience\./, "") ?? "";
  if (at.startsWith("audienceFilter")) return "filter";
  return PATHS[at];
};

const PATHS: Readonly<Record<string, keyof Draft>> = {
  name: "name",
  campaignGroupId: "group",
  mailingListId: "list",
  audienceSegmentId: "segment",
  scheduling: "at",
  "scheduling.timestamp": "at",
};

export type Choice = { value: string; label: string };

/** Choices with one that is stored, and not there any more. */
export const withStored = (choices: readonly Choice[], id: string | null): Choice[] =>
  id === null || choices.some(({ value }) => value === id)
    ? [...choices]
    : [...choices, { value: id, label: `${id} (not there any more)` }];
