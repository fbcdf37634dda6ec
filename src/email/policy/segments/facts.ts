import type { AudienceCondition } from "../../../lib/contract/audience/filter.ts";
import { type DataField, dataFields, type PropertyType } from "../../../lib/contract/contact-fields.ts";

type Value = string | number | boolean;

type ActivityCondition = Extract<AudienceCondition, { type: "activity" }>;
export type Action = ActivityCondition["action"];
export type Target = ActivityCondition["target"];

/** Contact data for filters. Dates in `properties` are ISO 8601 in UTC; `createdAt` and `updatedAt` are Unix ms. */
export type ContactFacts = {
  email: string | null;
  userId: string | null;
  createdAt: number;
  updatedAt: number;
  data: {
    firstName: string | null;
    lastName: string | null;
    source: string;
    subscribed: boolean;
    userGroup: string;
    optInStatus: string | null;
    properties: Readonly<Record<string, Value>>;
  };
};

export const isDataField = (key: string): key is DataField => (dataFields as readonly string[]).includes(key);

/**
 * Inputs of a filter. `hasActivity`: a message (row number) was sent, opened or clicked. `now` (Unix ms) is for
 * relative dates.
 */
export type Facts = {
  contact: ContactFacts;
  hasActivity(messages: readonly number[], action: Action): boolean;
  now: number;
};

/** `timeZone`: of the team, UTC without. */
export type TeamFacts = {
  timeZone?: () => string;
  types: ReadonlyMap<string, PropertyType>;
  /** Row numbers of a target's messages, including previous ones; undefined if there is no target. */
  messagesOf(target: Target, id: string): readonly number[] | undefined;
};
