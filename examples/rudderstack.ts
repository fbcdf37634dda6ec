/**
 * RudderStack: identify brings a contact up to date, track becomes an event. A `track` without an address in its
 * context makes no call: send `context.traits.email` along.
 *
 * To use it, copy this file to `src/mappings/rudderstack.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import rudderstack from "./mappings/rudderstack.ts";
 *     rudderstack: { rules: rudderstack, secret: "RUDDERSTACK_WEBHOOK_SECRET" },
 */
import { type RudderstackEvent, rudderstack } from "../src/handlers/rudderstack.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/** What is known of the person: of `identify` at the top, of others in the context. */
const traits = (e: RudderstackEvent) => ({ ...e.context?.traits, ...e.traits });
const email = (e: RudderstackEvent) => traits(e).email || undefined;

/** A text in a table whose content your own code decides. */
const text = (value: unknown) => (typeof value === "string" ? clip(value) : undefined);

/**
 * Whoever reads a public write key on your site can send anything by it. So these rules go by the address alone, and
 * tie it to no user id. Send only what your servers say to this destination; then the names in it are yours.
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
    // The name is the one that your code tracks, behind `track.`.
    name: "report exported",
    on: "track.Report Exported",
    when: (e) => email(e) !== undefined,
    contact: { email },
    event: { name: "reportExported", properties: { format: (e) => text(e.properties?.format) } },
  },
]);
