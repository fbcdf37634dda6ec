import { addressDigest } from "../../../../../../src/email/mail/links/address.ts";
import type { Hit } from "../../../../../../src/email/types/tracking.ts";
import { contactInRow } from "../../../../../../src/email/workspace/contacts/contact-rows.ts";
import { contacts } from "../../../../../../src/email/workspace/contacts/handlers.ts";
import { actForRecipient, type ContactAction } from "../../../../../../src/email/workspace/contacts/recipient.ts";
import { events } from "../../../../../../src/email/workspace/events/handlers.ts";
import { suppress } from "../../../../../../src/email/workspace/sending/suppression.ts";
import { recordHit } from "../../../../../../src/email/workspace/tracking/hits.ts";
import type { SimulatedObject } from "./object.ts";

export type Answer = { body?: unknown; refusal?: { code: string } };

/** Requests of a backend, recipients and mail programs to the Workspace. `now`: Unix ms. */
export const createRequests = ({ sql, run, transaction }: SimulatedObject, now: () => number) => ({
  update: (input: Record<string, unknown>): Answer => run((context) => contacts.update(context, input as never)),
  remove: (input: Record<string, unknown>): Answer => run((context) => contacts.delete(context, input as never)),
  send: (input: Record<string, unknown>): Answer => run((context) => events.send(context, input as never)),
  suppress: (email: string) => run((context) => suppress(context, email, "manual")),
  recipient: (n: number, action: ContactAction, list?: string) =>
    run((context) => {
      const contact = contactInRow(sql, n);
      if (!contact) return;
      const address = addressDigest(contact.email ?? "");
      const target = {
        team: "t",
        send: 0,
        row: n,
        contact: contact.id,
        address,
        ...(list === undefined ? {} : { list }),
      };
      actForRecipient(context, target, action);
    }),
  hit: (hit: Hit) => transaction(() => recordHit({ sql, now: now() }, hit)),
});
