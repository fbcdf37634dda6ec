import type { Refusal } from "../../../../lib/contract/errors.ts";
import { isClearing } from "../../../policy/campaigns/next-step.ts";
import type { CampaignStatus } from "../../../policy/campaigns/types.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { findCampaign } from "../../campaigns/campaign-rows.ts";
import { removeMessage } from "../../content/messages.ts";
import type { Context } from "../../core/context.ts";
import { dropCount } from "./count-audience.ts";
import { usersOfCampaign } from "./users.ts";

const NAMED = 3;

type Answer = { body: unknown } | { refusal: Refusal };

/** Deletes a draft with its message, unless a filter uses it. */
export const remove = ({ sql }: Context, { campaignId }: AdminInput<"campaigns.remove">): Answer => {
  const found = findCampaign({ sql }, campaignId);
  if ("refusal" in found) return found;
  const { campaign } = found;
  const { n, id, name, status, message } = campaign;
  if (status !== "Draft")
    return refuse(
      "campaign_not_draft",
      `The campaign ${WHY[status]}. Only a draft of which nothing was sent can be deleted.`,
    );
  if (isClearing(campaign))
    return refuse(
      "campaign_not_draft",
      "The schedule of the campaign was stopped, and its recipients are being dropped. Delete it in a minute.",
    );
  const users = usersOfCampaign(sql, id);
  if (users.length > 0) {
    const named = users.slice(0, NAMED).map((user) => `${user.kind} "${user.name}" (${user.id})`);
    const more = users.length - named.length;
    const names = `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    const words = `A condition about the campaign "${name}" is in ${names}. Change these first.`;
    return refuse("campaign_in_use", words, { users });
  }
  sql.exec("DELETE FROM campaigns WHERE n = ?", n);
  removeMessage(sql, message);
  dropCount(sql, id);
  return { body: { success: true } };
};

const WHY: Readonly<Record<Exclude<CampaignStatus, "Draft">, string>> = {
  Scheduled: "is scheduled: unschedule it first",
  Sending: "is sending",
  Sent: "was sent, and is kept with its recipients",
};

const refuse = (code: Refusal["code"], message: string, detail?: Refusal["detail"]): { refusal: Refusal } => ({
  refusal: { code, path: "campaignId", message, ...(detail ? { detail } : {}) },
});
