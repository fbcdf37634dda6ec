import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import type { Filters } from "../../parts/filters.ts";
import { numberText, percentText } from "./words.ts";

export type Counts = Response<AdminContract["statistics"]["results"]>;

/** A count, its share of those that it is a part of, and the filters that find the recipients it counts; none where no filters find just them. */
export type CountRow = { what: string; many: number; share: string; search?: Filters };

const OPEN = ["queued", "skipped", "failed", "unknown", "cancelled"] as const;

/** States of recipients that are counted in the same way. One that failed is listed as bounced where its address takes no mail. */
const LISTED: ReadonlySet<string> = new Set(["queued", "skipped", "cancelled"]);

/** A share with what it is of, such as "41.2 % of delivered"; empty of nothing. */
export const shareOf = (many: number, whole: number, of: string): string => {
  const percent = percentText(many, whole);
  return percent === "" ? "" : `${percent} of ${of}`;
};

/**
 * The counts of a campaign in their order: its audience by what became of their mail, and those who got it by what they did. The API calls the
 * audience its recipients, and so does a launch those of them who would get it. `isInbox`: the local inbox takes its mail, and none leaves.
 */
export const rowsOf = (found: Counts, isInbox = false): CountRow[] => {
  const { recipients, sent, delivered, bounced, hardBounces, softBounces } = found;
  const ofAudience = (state: (typeof OPEN)[number]): CountRow => ({
    what: `${state[0]?.toUpperCase()}${state.slice(1)}`,
    many: found[state],
    share: shareOf(found[state], recipients, "the audience"),
    ...(LISTED.has(state) ? { search: { state } } : {}),
  });
  // A mail that the relay refuses because of its address has bounced, and was never sent: a share of the sent ones could be above 100 %.
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
    ...OPEN.filter((state) => found[state] > 0).map(ofAudience),
    { what: "Sent", many: sent, share: shareOf(sent, recipients, "the audience") },
    ofHandedOver(`Bounced${kinds}`, bounced),
    ofHandedOver(isInbox ? "Delivered to the local inbox" : "Delivered", delivered),
    ofDelivered("Opened", found.opened, { group: "opened" }),
    ofDelivered("Clicked", found.clicked, { group: "clicked" }),
    ofDelivered("Unsubscribed", found.unsubscribed, { group: "unsubscribed" }),
    ofDelivered("Complained", found.complained, { state: "complained" }),
  ];
};
