/**
 * PostHog: identify updates a contact, other events become events. The destination's filters select the events to
 * send.
 *
 * To use it, copy this file to `src/mappings/posthog.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import posthog from "./mappings/posthog.ts";
 *     posthog: { rules: posthog, secret: "POSTHOG_WEBHOOK_SECRET" },
 */
import { type PosthogEvent, posthog } from "../src/handlers/posthog.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

const email = (e: PosthogEvent) => e.person?.properties.email || undefined;

/** A string property. Your own code decides the content of `properties`. */
const text = (value: unknown) => (typeof value === "string" ? clip(value) : undefined);

/**
 * Anyone can read the project key on your site and send anything with it. These rules therefore use the address alone
 * and link no user id. Send only events from your own servers to this destination: then its names are trustworthy.
 */
export default rules(posthog, [
  {
    name: "identify",
    on: ["$identify", "$set"],
    when: (e) => email(e) !== undefined,
    contact: { email },
    update: {
      // Properties of your own: PostHog does not define their names.
      firstName: (e) => text(e.person?.properties.first_name) || undefined,
      lastName: (e) => text(e.person?.properties.last_name) || undefined,
      plan: (e) => text(e.person?.properties.plan),
    },
  },
  {
    // The name that your code captures.
    name: "report exported",
    on: "report exported",
    when: (e) => email(e) !== undefined,
    contact: { email },
    event: { name: "reportExported", properties: { format: (e) => text(e.event.properties?.format) } },
  },
]);
