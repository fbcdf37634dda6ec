import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Request } from "../../../lib/contract/operation.ts";
import { pageOf } from "../../../lib/contract/pagination.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import { compileMessage } from "../../../lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../lib/lmx/message/message-source.ts";
import { pairAfter } from "../../../lib/workflow-graph/pair.ts";
import { lockedField, lockOf } from "../../policy/campaigns/locked.ts";
import { readScheduling } from "../../policy/campaigns/scheduling.ts";
import { listRefusal } from "../contacts/lists.ts";
import { groupInBody, unsorted } from "../content/groups.ts";
import { libraryOf } from "../content/library.ts";
import { addMessage, revisionId } from "../content/messages.ts";
import type { Context } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { checkAudience } from "../segments/audience-check.ts";
import { messageMetrics } from "../sends/message-metrics.ts";
import { timeZoneOf } from "../team/team.ts";
import {
  addCampaign,
  type CampaignFields,
  countCampaigns,
  findCampaign,
  listCampaigns,
  nextCampaign,
  type StoredCampaign,
  saveCampaign,
} from "./campaign-rows.ts";
import { commonFields, shownCampaign } from "./shown-campaign.ts";

const MAX_CAMPAIGNS = 10_000;

/** Refusal if the team has the maximum of campaigns. */
export const noRoom = (sql: SqlStorage): Refusal | undefined => {
  if (countCampaigns(sql) < MAX_CAMPAIGNS) return undefined;
  const message = `The team has ${MAX_CAMPAIGNS} campaigns, and cannot have more. Change one of them.`;
  return { code: "too_many_campaigns", message };
};

export const campaigns: Handlers<"campaigns"> = {
  list(context, input) {
    const { sql, origin } = context;
    const rows = (before: number, count: number) => listCampaigns(sql, before, count);
    return pageOf(`${origin}/v1/campaigns`, input, countCampaigns(sql), rows, (row) => shownCampaign(context, row));
  },

  create(context, { name, ...given }) {
    const { sql } = context;
    const refusal = noRoom(sql);
    if (refusal) return { refusal };
    const checked = fieldsAfter(context, { ...EMPTY, name }, given);
    if ("refusal" in checked) return checked;
    const { group = unsorted(sql, "campaign"), ...fields } = checked.fields;
    const [n, id] = [nextCampaign(context), context.id("cmp")];
    const { compiled, uses } = compileMessage(emptySource, "campaign", libraryOf(sql, ""));
    const content = { source: JSON.stringify(emptySource), compiled: JSON.stringify(compiled), uses };
    const { n: message, revision } = addMessage(context, context.id("msg"), { campaign: n }, content);
    addCampaign(context, { n, id, message, group, ...fields });
    return {
      body: {
        ...commonFields(context, again(context, id)),
        status: "Draft",
        emailMessageContentRevisionId: revisionId(revision),
      },
    };
  },

  get(context, { campaignId }) {
    const found = findCampaign(context, campaignId);
    return "refusal" in found ? found : { body: shownCampaign(context, found.campaign) };
  },

  update(context, { campaignId, ...changes }) {
    const found = findCampaign(context, campaignId);
    if ("refusal" in found) return found;
    const { campaign } = found;
    const locked = lockedField(campaign.status, changes);
    if (locked !== undefined) {
      const message = `${locked}: the campaign ${lockOf(campaign.status, campaign.state)}.`;
      return { refusal: { code: "campaign_not_draft", path: locked, message } };
    }
    const checked = fieldsAfter(context, campaign, changes);
    if ("refusal" in checked) return checked;
    saveCampaign(context, campaign, checked.fields);
    return { body: shownCampaign(context, again(context, campaignId)) };
  },

  metrics(context, { campaignId }) {
    const found = findCampaign(context, campaignId);
    return "refusal" in found ? found : { body: messageMetrics(context.sql, found.campaign.messageId) };
  },
};

const EMPTY = { list: null, segment: null, filter: null, method: "now", scheduledAt: null } as const;

const again = (context: Context, id: string): StoredCampaign =>
  (findCampaign(context, id) as { campaign: StoredCampaign }).campaign;

type Changes = Omit<Request<V1["campaigns"]["update"]>, "campaignId">;

const fieldsAfter = (
  { sql, now }: Context,
  before: CampaignFields,
  { name = before.name, campaignGroupId, mailingListId = before.list, scheduling: asked, ...audience }: Changes,
): { fields: CampaignFields & { group?: number } } | { refusal: Refusal } => {
  const named = groupInBody(sql, "campaign", campaignGroupId);
  if (named && "refusal" in named) return named;
  const refusal = mailingListId === before.list ? undefined : listRefusal(sql, mailingListId);
  if (refusal) return { refusal: refusal.code === "unknown_mailing_list" ? { ...refusal, code: NO_LIST } : refusal };
  const checked = checkAudience(sql, audience, "");
  if ("refusal" in checked) return checked;
  const old = { audienceSegmentId: before.segment, audienceFilter: before.filter };
  const { audienceSegmentId: segment, audienceFilter: filter } = pairAfter(old, { ...audience, ...checked });
  const read = asked ? readScheduling(asked, now, timeZoneOf(sql)) : { scheduling: before };
  if ("refusal" in read) return read;
  const { method, scheduledAt } = read.scheduling;
  const group = named ? { group: named.n } : {};
  return { fields: { name, list: mailingListId, segment, filter, method, scheduledAt, ...group } };
};

/** The published API returns 404 for an unknown list here, but 400 in a workflow. */
const NO_LIST = "mailing_list_not_found";
