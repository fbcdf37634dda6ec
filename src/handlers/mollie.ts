import { hmacOfBody } from "../lib/signature/schemes.ts";
import { readEvent } from "../lib/webhook/event.ts";
import { object, valueAt } from "../lib/webhook/shape.ts";
import type { Handler } from "../webhook.ts";

export type MollieAmount = { value: string; currency: string };
export type MollieSalesInvoice = {
  id: string;
  mode?: "live" | "test";
  invoiceNumber?: string | null;
  status: string;
  recipient?: {
    type: "consumer" | "business";
    givenName?: string | null;
    familyName?: string | null;
    organizationName?: string | null;
    email?: string | null;
    locale?: string | null;
  } | null;
  totalAmount?: MollieAmount | null;
  amountDue?: MollieAmount | null;
  createdAt: string;
  dueAt?: string | null;
  _links?: { invoicePayment?: { href: string } | null; pdfLink?: { href: string } | null };
};
/** Names no person. */
export type MolliePaymentLink = { id: string; mode?: "live" | "test"; amount?: MollieAmount | null };

type Event<Type extends string, Entity> = {
  type: Type;
  resource: "event";
  id: string;
  entityId: string;
  createdAt: string;
  /** Absent in simple payloads. */
  _embedded?: { entity: Entity };
};

/** Amounts are in major units. */
export type MollieEvent =
  | Event<
      "sales-invoice.created" | "sales-invoice.issued" | "sales-invoice.paid" | "sales-invoice.canceled",
      MollieSalesInvoice
    >
  | Event<"payment-link.paid", MolliePaymentLink>;

const WHAT = "an event of Mollie";

const RANKS: ReadonlyMap<string, number> = new Map([
  ["sales-invoice.created", 1],
  ["sales-invoice.issued", 2],
  ["sales-invoice.paid", 3],
  ["sales-invoice.canceled", 3],
]);

const read = readEvent<MollieEvent>({
  what: WHAT,
  id: "id",
  type: "type",
  time: [["createdAt", "iso"]],
  test: (body) => valueAt(body, "_embedded.entity.mode") === "test" || valueAt(body, "mode") === "test",
});

/**
 * Mollie's next-gen webhooks: `sha256=<hex>`, an HMAC-SHA256 of the body. Classic webhooks (`id=tr_…`) are unsigned
 * and have no data, so they are refused.
 * @see https://docs.mollie.com/reference/webhooks-new
 */
export const mollie: Handler<MollieEvent> = {
  provider: "mollie",
  about: {
    title: "Mollie",
    secret: "MOLLIE_WEBHOOK_SECRET",
    setUp: "Developers → Webhooks → webhook (full payload) → signing secret",
  },
  // Mollie's library also accepts a signature without its prefix.
  scheme: {
    kind: "any",
    of: [
      hmacOfBody("X-Mollie-Signature", {
        signature: { header: "X-Mollie-Signature", separator: "," },
        prefix: "sha256=",
      }),
      hmacOfBody("X-Mollie-Signature", { signature: { header: "X-Mollie-Signature", separator: "," } }),
    ],
  },
  read: async (request, content, now) => {
    if (object(content, WHAT).resource !== "event")
      throw new Error(`The body is not ${WHAT}: resource must be "event".`);
    return read(request, content, now);
  },
  rank: (type) => RANKS.get(type) ?? 0,
};
