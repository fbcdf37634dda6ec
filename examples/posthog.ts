/**
 * PostHog: identify brings a contact up to date, what people do becomes an event. Choose in the destination's filters
 * which events it is sent.
 *
 * To use it, copy this file to `src/mappings/posthog.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import posthog from "./mappings/posthog.ts";
 *     posthog: { rules: posthog, secret: "POSTHOG_WEBHOOK_SECRET" },
 */
import { type PosthogEvent, posthog } from "../src/handlers/posthog.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

const email = (e: PosthogEvent) => e.person?.properties.email || undefined;

/** A text in a table whose content your own code decides. */
const text = (value: unknown) => (typeof value === "string" ? clip(value) : undefined);

/**
 * Whoever reads a project key on your site can send anything by it. So these rules go by the address alone, and tie it
 * to no user id. Send only what your servers say to this destination; then the names in it are yours.
 */
export default rules(posthog, [
  {
    name: "identify",
    on: ["$identify", "$set"],
    when: (e) => email(e) !== undefined,
    contact: { email },
    update: {
      // Properties of your own: PostHog has no names for them.
      firstName: (e) => text(e.person?.properties.first_name) || undefined,
      lastName: (e) => text(e.person?.properties.last_name) || undefined,
      plan: (e) => text(e.person?.properties.plan),
    },
  },
  {
    // The name is the one that your code captures.
    name: "report exported",
    on: "report exported",
    when: (e) => email(e) !== undefined,
    contact: { email },
    event: { name: "reportExported", properties: { format: (e) => text(e.event.properties?.format) } },
  },
]);
