import { chargebee } from "../../handlers/chargebee.ts";
import { rules } from "../../rules/types.ts";
import { seconds } from "../../rules/values/seconds.ts";
import { person } from "./customer.ts";
import { due, dueMinor, total } from "./payment.ts";

/** Invoices collected at once make payment events. Webhooks have the customer's id and no address. */
export default rules(chargebee, [
  {
    // Not for a draft ("pending"): it may still change.
    name: "invoice finalized",
    on: "invoice_generated",
    when: (e) => dueMinor(e.content.invoice) > 0 && e.content.invoice?.status !== "pending",
    contact: person,
    event: {
      name: "invoiceFinalized",
      properties: {
        ...due,
        number: (e) => e.content.invoice?.id,
        dueAt: (e) => seconds(e.content.invoice?.due_date),
      },
    },
  },
  {
    name: "invoice overdue",
    on: "payment_due_reminder",
    when: (e) => dueMinor(e.content.invoice) > 0 && (e.content.invoice?.due_date ?? 0) < e.occurred_at,
    contact: person,
    event: {
      name: "invoiceOverdue",
      properties: {
        ...due,
        number: (e) => e.content.invoice?.id,
        dueAt: (e) => seconds(e.content.invoice?.due_date),
      },
    },
  },
  {
    // Later updates of the invoice say so too.
    name: "invoice voided",
    on: "invoice_updated",
    when: (e) => e.content.invoice?.status === "voided",
    ifStored: { id: (e) => e.content.invoice?.id, isNot: { voided: true } },
    remember: { id: (e) => e.content.invoice?.id, state: { voided: true } },
    contact: person,
    event: { name: "invoiceVoided", properties: { ...total, number: (e) => e.content.invoice?.id } },
  },
]);
