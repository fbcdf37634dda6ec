import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { addCampaign, findCampaign, nextCampaign } from "../../campaigns/campaign-rows.ts";
import { noRoom } from "../../campaigns/handlers.ts";
import { compileAgain } from "../../content/cascade.ts";
import { groupNamed } from "../../content/groups.ts";
import { addMessage, contentOf } from "../../content/messages.ts";
import type { Context } from "../../core/context.ts";
import { shownToOperator } from "./handlers.ts";

type Answer = { status: 201; body: unknown } | { refusal: Refusal };

const MAX_NAME = 255;

type To = AdminInput<"campaigns.duplicate">["to"];

/** The action that recipients of the copy lack, and the words in its name. */
const LACKING = {
  notOpened: { action: "opened", words: "not opened" },
  notClicked: { action: "clicked", words: "not clicked" },
} as const;

/** Returns the name of a copy: "Spring sale (copy)". A long name is cut between characters. */
const nameOfCopy = (name: string, to: To): string => {
  const end = ` (${to === undefined ? "copy" : LACKING[to].words})`;
  let start = "";
  for (const character of name) {
    if (start.length + character.length + end.length > MAX_NAME) break;
    start += character;
  }
  return `${start}${end}`;
};

/** Matches only people who got the campaign. Its own segment and filter are not needed. */
const lackingFilter = (id: string, to: NonNullable<To>): AudienceFilter => ({
  match: "all",
  conditions: [{ type: "activity", action: LACKING[to].action, negate: true, target: "campaign", id }],
});

const NOT_SENT: Refusal = {
  code: "campaign_not_sent",
  path: "to",
  message: "to: nothing of the campaign is sent yet, so nobody got it. Leave it out to copy the audience.",
};

/**
 * Creates a draft copy of a campaign without its time. Themes and components are current; sending reports a
 * missing audience.
 */
export const duplicate = (context: Context, { campaignId, to }: AdminInput<"campaigns.duplicate">): Answer => {
  const { sql } = context;
  const found = findCampaign(context, campaignId);
  if ("refusal" in found) return found;
  const refusal = noRoom(sql);
  if (refusal) return { refusal };
  const { id: original, name, group, messageId, list, startedAt } = found.campaign;
  if (to !== undefined && startedAt === null) return { refusal: NOT_SENT };
  const { segment, filter } =
    to === undefined ? found.campaign : { segment: null, filter: lackingFilter(original, to) };
  const named = groupNamed(sql, "campaign", group);
  if ("refusal" in named) return named;
  const [n, id] = [nextCampaign(context), context.id("cmp")];
  const { n: message } = addMessage(context, context.id("msg"), { campaign: n }, contentOf(sql, messageId));
  const fields = { name: nameOfCopy(name, to), list, segment, filter, method: "now", scheduledAt: null } as const;
  addCampaign(context, { n, id, message, group: named.n, ...fields });
  compileAgain(context, message);
  const copy = findCampaign(context, id);
  return "refusal" in copy ? copy : { status: 201, body: shownToOperator(context, copy.campaign) };
};
