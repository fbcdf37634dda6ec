import { type ChargebeeContent, chargebee } from "../../handlers/chargebee.ts";
import { rules } from "../../rules/types.ts";
import { clip } from "../../rules/values/clip.ts";
import { person } from "./customer.ts";
import { expiry } from "./payment.ts";

type Event = { content: ChargebeeContent };

const source = ({ content }: Event) => content.payment_source;

const described = {
  kind: (e: Event) => source(e)?.type,
  brand: (e: Event) => source(e)?.card?.brand ?? clip(source(e)?.bank_account?.bank_name),
  last4: (e: Event) => source(e)?.card?.last4 ?? source(e)?.bank_account?.last4,
};

/**
 * All payment methods. card_expiry_reminder and card_expired have other event names, so that a workflow starts once.
 */
export default rules(chargebee, [
  {
    name: "payment source added",
    on: "payment_source_added",
    contact: person,
    event: { name: "paymentSourceAdded", properties: described },
  },
  {
    name: "payment source expiring",
    on: "payment_source_expiring",
    contact: person,
    event: {
      name: "paymentSourceExpiring",
      properties: { ...described, expires: (e) => expiry(source(e)?.card) },
    },
  },
  {
    name: "payment source expired",
    on: "payment_source_expired",
    contact: person,
    event: { name: "paymentSourceExpired", properties: described },
  },
  {
    name: "payment source deleted",
    on: "payment_source_deleted",
    when: (e) => e.content.customer?.deleted !== true,
    contact: person,
    event: { name: "paymentSourceDeleted", properties: described },
  },
]);
