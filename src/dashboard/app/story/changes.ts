import { MOMENT } from "../../../lib/util/dates.ts";
import type { StoryDelivery, StoryWebhook } from "./story-types.ts";

type Written = { name: string; value: unknown; source: string };

const isDone = ({ action, state }: StoryDelivery): boolean => action === "contact" && state === "done";

const writtenBy = ({ source, deliveries }: StoryWebhook): Written[] =>
  deliveries
    .filter(isDone)
    .flatMap(({ properties = {} }) => Object.entries(properties).map(([name, value]) => ({ name, value, source })));

/** Returns the last value that these webhooks, newest first, wrote to a property of the contact. */
export const originOf = (webhooks: readonly StoryWebhook[], name: string): Written | undefined =>
  webhooks.flatMap(writtenBy).find((written) => written.name === name);

const ISO = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** The words of a value, a time in the zone of this browser. An empty one has a dash. */
export const valueText = (value: unknown): string => {
  if (value === null || value === "") return "–";
  if (typeof value !== "string" || !ISO.test(value)) return String(value);
  return new Date(value).toLocaleString("en", MOMENT);
};

const MOST = 4;

/**
 * Says what a contact update changed: "plan Free → Pro, seats 12". The value before is what an earlier webhook wrote.
 *
 * @param earlier webhooks, newest first
 */
export const changesText = (
  { properties = {} }: StoryDelivery,
  earlier: readonly StoryWebhook[],
): string | undefined => {
  const changes = Object.entries(properties).flatMap(([name, value]) => {
    const before = originOf(earlier, name);
    if (before?.value === value) return [];
    const now = valueText(value);
    const was = before && valueText(before.value);
    return [was === undefined || was === now ? `${name} ${now}` : `${name} ${was} → ${now}`];
  });
  if (changes.length === 0) return Object.keys(properties).length === 0 ? undefined : "nothing new";
  const rest = changes.length - MOST;
  return [...changes.slice(0, MOST), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
};
