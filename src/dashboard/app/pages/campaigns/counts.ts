import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { Filters } from "../../parts/filters.ts";
import { numberText, percentText } from "./campaign-words.ts";

export type Counts = Response<AdminContract["statistics"]["results"]>;

/** A count with its share. `search`: filters that find exactly these recipients, if any. */
export type CountRow = { what: string; many: number; share: string; search?: Filters };

const OPEN = ["queued", "skipped", "failed", "unknown", "cancelled"] as const;

/** A failed recipient is listed as bounced if its address takes no mail. */
const LISTED: ReadonlySet<string> = new Set(["queued", "skipped", "cancelled"]);

/** Formats a share such as "41.2 % of delivered". Empty if `whole` is 0. */
export const shareOf = (many: number, whole: number, of: string): string => {
  const percent = percentText(many, whole);
  return percent === "" ? "" : `${percent} of ${of}`;
};

/**
 * Ordered counts of a campaign: mail results, then reactions. `isInbox`: the local inbox takes the mail, so none
 * leaves.
 */
export const rowsOf = (counts: Counts, isInbox = false): CountRow[] => {
  const { recipients, sent, delivered, bounced, hardBounces, softBounces } = counts;
  const ofAudience = (state: (typeof OPEN)[number]): CountRow => ({
    what: `${state[0]?.toUpperCase()}${state.slice(1)}`,
    many: counts[state],
    share: shareOf(counts[state], recipients, "the audience"),
    ...(LISTED.has(state) ? { search: { state } } : {}),
  });
  // A mail refused for its address counts as bounced but not sent. A share of sent could exceed 100 %.
  const ofHandedOver = (what: string, many: number): CountRow => ({
    what,
    many,
    share: shareOf(many, delivered + bounced, "delivered and bounced"),
  });
  const ofDelivered = (what: string, many: number, search: Filters): CountRow => ({
    what,
    many,
    search,
    share: shareOf(many, delivered, "delivered"),
  });
  const kinds = bounced === 0 ? "" : ` (${numberText(hardBounces)} hard, ${numberText(softBounces)} soft)`;
  return [
    { what: "Audience", many: recipients, share: "" },
    ...OPEN.filter((state) => counts[state] > 0).map(ofAudience),
    { what: "Sent", many: sent, share: shareOf(sent, recipients, "the audience") },
    ofHandedOver(`Bounced${kinds}`, bounced),
    ofHandedOver(isInbox ? "Delivered to the local inbox" : "Delivered", delivered),
    ofDelivered("Opened", counts.opened, { group: "opened" }),
    ofDelivered("Clicked", counts.clicked, { group: "clicked" }),
    ofDelivered("Unsubscribed", counts.unsubscribed, { group: "unsubscribed" }),
    ofDelivered("Complained", counts.complained, { state: "complained" }),
  ];
};
