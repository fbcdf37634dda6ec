import type { AudienceCondition } from "../../../lib/contract/audience/filter.ts";
import type { PropertyType } from "../../../lib/contract/contact-fields.ts";

type Value = string | number | boolean;

type ActivityCondition = Extract<AudienceCondition, { type: "activity" }>;
export type Action = ActivityCondition["action"];
export type Target = ActivityCondition["target"];

/** What a filter reads of a contact. Dates in `properties` are ISO 8601 in UTC; `createdAt` and `updatedAt` are Unix ms. */
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

/** Standard properties that are part of `data`. */
const DATA_FIELDS = ["firstName", "lastName", "source", "subscribed", "userGroup", "optInStatus"] as const;
type DataField = (typeof DATA_FIELDS)[number];
export const isDataField = (key: string): key is DataField => (DATA_FIELDS as readonly string[]).includes(key);

/**
 * Everything a filter may depend on. `hasActivity`: whether one of these messages (row numbers) was sent to the contact,
 * opened or clicked by it. `now`: Unix ms, for relative dates only.
 */
export type Facts = {
  contact: ContactFacts;
  hasActivity(messages: readonly number[], action: Action): boolean;
  now: number;
};

/** What filters need to know of their team. */
export type TeamFacts = {
  /** Types of the custom properties by name. */
  types: ReadonlyMap<string, PropertyType>;
  /** Row numbers of the messages of a target, also of those that it had before; undefined when there is no such target. */
  messagesOf(target: Target, id: string): readonly number[] | undefined;
};
