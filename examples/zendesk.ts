/**
 * Zendesk: solved tickets, and new users.
 *
 * To use it, copy this file to `src/mappings/zendesk.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import zendesk from "./mappings/zendesk.ts";
 *     zendesk: { rules: zendesk, secret: "ZENDESK_WEBHOOK_SECRET" },
 */
import { zendesk } from "../src/handlers/zendesk.ts";
import { rules } from "../src/rules/types.ts";

/**
 * Events of a ticket tell no address, but a trigger's webhook says what you write. The first rule is for a trigger
 * "status changed to solved" with this JSON body; the id makes that each time counts once:
 *
 *     {
 *       "type": "ticket.solved",
 *       "id": "{{ticket.id}}-{{ticket.updated_at_with_timestamp}}",
 *       "email": "{{ticket.requester.email}}",
 *       "subject": "zen:ticket:{{ticket.id}}"
 *     }
 *
 * Anyone can write to you from any address: the rules go by it alone and tie nothing.
 */
export default rules(zendesk, [
  {
    name: "ticket solved",
    on: "ticket.solved",
    when: (e) => Boolean(e.email),
    contact: { email: (e) => e.email },
    event: { name: "ticketSolved", properties: { ticket: (e) => e.subject?.replace("zen:ticket:", "") } },
  },
  {
    // Not your own agents and administrators.
    name: "support user created",
    on: "zen:event-type:user.created",
    when: (e) => e.detail?.role === "end-user" && Boolean(e.detail.email),
    contact: { email: (e) => e.detail?.email },
    event: { name: "supportUserCreated" },
  },
]);
