/**
 * RudderStack: identify updates a contact, track becomes an event. A `track` without an email address in its context
 * makes no delivery: send `context.traits.email` with it.
 *
 * To use it, copy this file to `src/mappings/rudderstack.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import rudderstack from "./mappings/rudderstack.ts";
 *     rudderstack: { rules: rudderstack, secret: "RUDDERSTACK_WEBHOOK_SECRET" },
 */
import { type RudderstackEvent, rudderstack } from "../src/handlers/rudderstack.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/** The person's traits: `identify` has them at the top, other calls in the context. */
const traits = (e: RudderstackEvent) => ({ ...e.context?.traits, ...e.traits });
const email = (e: RudderstackEvent) => traits(e).email || undefined;

/** A string property. Your own code decides the content of `properties`. */
const text = (value: unknown) => (typeof value === "string" ? clip(value) : undefined);

/**
 * Anyone can read the public write key on your site and send anything with it. These rules therefore use the address
 * alone and link no user id. Send only calls from your own servers to this destination: then its names are trustworthy.
 */
export default rules(rudderstack, [
  {
    name: "identify",
    on: "identify",
    when: (e) => email(e) !== undefined,
    contact: { email },
    update: {
      firstName: (e) => text(traits(e).firstName) || undefined,
      lastName: (e) => text(traits(e).lastName) || undefined,
      // A trait of your own.
      plan: (e) => text(traits(e).plan),
    },
  },
  {
    // The name that your code tracks, after `track.`.
    name: "report exported",
    on: "track.Report Exported",
    when: (e) => email(e) !== undefined,
    contact: { email },
    event: { name: "reportExported", properties: { format: (e) => text(e.properties?.format) } },
  },
]);
