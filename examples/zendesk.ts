/**
 * Zendesk: solved tickets, and new users.
 *
 * To use it, copy this file to `src/mappings/zendesk.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import zendesk from "./mappings/zendesk.ts";
 *     zendesk: { rules: zendesk, secret: "ZENDESK_WEBHOOK_SECRET" },
 */
import { zendesk } from "../src/handlers/zendesk.ts";
import { rules } from "../src/rules/types.ts";

/**
 * Ticket events contain no email address, but you write the body of a trigger's webhook yourself. The first rule is for
 * a trigger "status changed to solved" with this JSON body. The id is different for each time a ticket is solved:
 *
 *     {
 *       "type": "ticket.solved",
 *       "id": "{{ticket.id}}-{{ticket.updated_at_with_timestamp}}",
 *       "email": "{{ticket.requester.email}}",
 *       "subject": "zen:ticket:{{ticket.id}}"
 *     }
 *
 * Anyone can write to you from any address: the rules use the address alone and link nothing.
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
    // Not for your own agents and administrators.
    name: "support user created",
    on: "zen:event-type:user.created",
    when: (e) => e.detail?.role === "end-user" && Boolean(e.detail.email),
    contact: { email: (e) => e.detail?.email },
    event: { name: "supportUserCreated" },
  },
]);
