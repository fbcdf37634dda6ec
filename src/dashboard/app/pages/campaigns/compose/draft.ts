import type { AudienceFilter } from "../../../../../lib/contract/audience/filter.ts";
import type { Request, Response } from "../../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../../lib/contract/v1.ts";
import { isSame, type Kept as KeptOf, keptSince as sinceOf, typedOver } from "../../../parts/acts/unsaved-fields.ts";
import { type Filter, filterDraftOf, filterOf, problemsIn, type Types } from "../../segments/draft.ts";
import { gapText, instantOf, localOf } from "./local-time.ts";

export type Campaign = Response<V1["campaigns"]["get"]>;

/** A campaign as typed. `filter`: null for none. `at`: time in the team's zone, such as "2026-01-31T09:30". */
export type Draft = {
  name: string;
  group: string;
  list: string | null;
  segment: string | null;
  filter: Filter | null;
  method: "now" | "schedule";
  at: string;
};

/** Typed and unsaved values. `was`: stored value at the first edit. */
export type Kept = KeptOf<Draft>;

/** Converts a stored campaign for editing. */
export const draftOf = (campaign: Campaign, types: Types, zone?: string): Draft => {
  const { name, campaignGroupId, mailingListId, audienceSegmentId, audienceFilter, scheduling } = campaign;
  return {
    name,
    group: campaignGroupId,
    list: mailingListId,
    segment: audienceSegmentId,
    filter: audienceFilter && filterDraftOf(audienceFilter, types),
    method: scheduling.method,
    at: scheduling.timestamp === null ? "" : localOf(scheduling.timestamp, zone),
  };
};

const FIELDS = ["name", "group", "list", "segment", "filter", "method", "at"] as const;

/** Changed fields in page order. An unused time is ignored. */
export const changedFields = (stored: Draft, kept: Kept): (keyof Draft)[] => {
  const draft = draftWith(stored, kept);
  return FIELDS.filter((name) => !isSame(draft[name], stored[name]) && (name !== "at" || draft.method === "schedule"));
};

/** Stored campaign with typed values applied. */
export const draftWith = (stored: Draft, kept: Kept): Draft => typedOver(stored, kept);

/** The service saves each of these rows as one field. */
const TOGETHER: readonly (readonly (keyof Draft)[])[] = [
  ["segment", "filter"],
  ["method", "at"],
];
const togetherWith = (name: keyof Draft): readonly (keyof Draft)[] =>
  TOGETHER.find((names) => names.includes(name)) ?? [name];

/** Adds a change. A field and the fields saved with it keep their first stored value. */
export const keptWith = (kept: Kept, stored: Draft, changes: Partial<Draft>): Kept => {
  const before = draftWith(stored, kept);
  const names = new Set((Object.keys(changes) as (keyof Draft)[]).flatMap(togetherWith));
  const added = [...names].map((name) => [
    name,
    { was: (kept[name] ?? { was: stored[name] }).was, now: name in changes ? changes[name] : before[name] },
  ]);
  return { ...kept, ...Object.fromEntries(added) };
};

/** Keeps values typed after `sent` was saved. */
export const keptSince = (sent: Kept, typed: Kept, stored: Draft): Kept => sinceOf(sent, typed, stored, togetherWith);

/** Fields that another person saved after this person began to edit, with linked fields. */
export const conflictsIn = (stored: Draft, kept: Kept): (keyof Draft)[] => {
  const changed = changedFields(stored, kept);
  const isTheirs = (name: keyof Draft) => kept[name] !== undefined && !isSame(kept[name].was, stored[name]);
  return FIELDS.filter((name) => {
    const names = togetherWith(name);
    return name in kept && names.some(isTheirs) && names.some((one) => changed.includes(one));
  });
};

/** Unseen conflicts. `shown`: stored values on the page. `stored`: values just read. */
export const newConflicts = (draft: Draft, stored: Draft, kept: Kept): (keyof Draft)[] =>
  conflictsIn(stored, kept).filter((name) => !isSame(draft[name], stored[name]));

const storedFilter = ({ filter }: Draft, types: Types): AudienceFilter | null => filter && filterOf(filter, types);

/** The audience for the service. Undefined while a condition is incomplete. */
export const audienceOf = (draft: Draft, types: Types) => {
  if (draft.filter && Object.keys(problemsIn(draft.filter, types)).length > 0) return undefined;
  const { list: mailingListId, segment: audienceSegmentId } = draft;
  return { mailingListId, audienceSegmentId, audienceFilter: storedFilter(draft, types) };
};

type Changes = Omit<Request<V1["campaigns"]["update"]>, "campaignId">;

/** Builds the save request. Segment and filter go together, because one alone clears the other. */
export const requestOf = (draft: Draft, changed: readonly (keyof Draft)[], types: Types, zone?: string): Changes => {
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
              : { method: "schedule" as const, timestamp: instantOf(draft.at, zone) },
        }
      : {}),
  };
};

/** Problems by field, except conditions. `now`: Unix ms. */
export const problemsOf = (draft: Draft, now: number, zone?: string): Partial<Record<keyof Draft, string>> => ({
  ...(draft.name.trim() === "" ? { name: "Give it a name." } : {}),
  ...(draft.method === "schedule" ? timeProblem(draft.at, now, zone) : {}),
});

const timeProblem = (at: string, now: number, zone?: string): { at?: string } => {
  const instant = instantOf(at, zone);
  if (instant === undefined) return { at: "Give a date and a time." };
  const gap = gapText(at, zone);
  if (gap !== undefined) return { at: gap };
  return Date.parse(instant) <= now ? { at: "This time has passed. Give another one." } : {};
};

/** The page field for the `path` of an error, or undefined. */
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

/** Adds a stored choice that no longer exists. */
export const withStored = (choices: readonly Choice[], id: string | null): Choice[] =>
  id === null || choices.some(({ value }) => value === id)
    ? [...choices]
    : [...choices, { value: id, label: `${id} (not there any more)` }];
