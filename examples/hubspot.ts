/**
 * HubSpot: stores the lifecycle stage of contacts, and notifies the team of won deals.
 *
 * To use it, copy this file to `src/mappings/hubspot.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import hubspot from "./mappings/hubspot.ts";
 *     hubspot: { rules: hubspot, secret: "HUBSPOT_WEBHOOK_SECRET" },
 */
import { type HubspotEvent, hubspot } from "../src/handlers/hubspot.ts";
import { customer } from "../src/rules/people/customer.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/** The team's address, which gets these notices. Replace it with your own. */
const team = { email: "team@example.com" };

/** The ref of a contact. The kind of object is in the event type only, so the ref adds it to the id. */
const ref = (e: HubspotEvent) => `contact:${e.objectId}`;

/**
 * HubSpot's webhooks contain ids. A contact's address comes only when it is set or changed: also subscribe to
 * `contact.propertyChange` of `email`. A delivery for a contact without a known address waits for it for 72 hours and is
 * then undecided.
 */
export default rules(
  hubspot,
  [
    {
      name: "lifecycle stage",
      on: "contact.propertyChange",
      when: (e) => e.propertyName === "lifecyclestage",
      contact: (e) => customer(ref(e)),
      update: { lifecycleStage: (e) => clip(e.propertyValue) || null },
    },
    {
      // `closedwon` is a stage of the default pipeline. Stages of your own pipelines have numbers.
      name: "deal won",
      on: "deal.propertyChange",
      when: (e) => e.propertyName === "dealstage" && e.propertyValue === "closedwon",
      contact: team,
      event: { name: "dealWon", properties: { dealId: (e) => String(e.objectId) } },
    },
  ],
  (e) =>
    e.type === "contact.propertyChange" && e.propertyName === "email" && e.propertyValue
      ? [{ ref: ref(e), email: e.propertyValue }]
      : [],
);
