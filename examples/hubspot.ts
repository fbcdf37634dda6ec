/**
 * HubSpot: keeps the lifecycle stage of contacts, and tells the team of won deals.
 *
 * To use it, copy this file to `src/mappings/hubspot.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import hubspot from "./mappings/hubspot.ts";
 *     hubspot: { rules: hubspot, secret: "HUBSPOT_WEBHOOK_SECRET" },
 */
import { type HubspotEvent, hubspot } from "../src/handlers/hubspot.ts";
import { customer } from "../src/rules/people/customer.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/** Who is told. Put your own address here. */
const team = { email: "team@example.com" };

/** The object as a reference: what kind it is stands in the type alone. */
const ref = (e: HubspotEvent) => `contact:${e.objectId}`;

/**
 * HubSpot tells of ids. Which address a contact has, it says when that is set or changes: subscribe to
 * `contact.propertyChange` of `email` too. A call for a contact whose address was never told waits for it for 72 hours,
 * and is parked then.
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
      // `closedwon` is the stage of the default pipeline; those of your own have numbers.
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
