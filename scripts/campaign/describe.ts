import { wordsOfConditions } from "../../src/lib/contract/audience/condition-words.ts";
import type { Client } from "../../src/lib/contract/client.ts";
import type { V1 } from "../../src/lib/contract/v1.ts";

export type Api = Pick<Client<V1>, "campaigns" | "emailMessages" | "lists" | "audienceSegments">;

/** The API does not show the sender's domain. */
export type Described = { subject: string; from: string; audience: string };

export const describeCampaign = async (api: Api, campaignId: string): Promise<Described> => {
  const campaign = await api.campaigns.get({ campaignId });
  const { mailingListId, audienceSegmentId, audienceFilter: filter } = campaign;
  const [{ subject, fromName, fromEmail }, lists, segment] = await Promise.all([
    api.emailMessages.get({ emailMessageId: campaign.emailMessageId }),
    mailingListId === null ? [] : api.lists.list(),
    audienceSegmentId === null ? undefined : api.audienceSegments.get({ audienceSegmentId }),
  ]);
  const list = lists.find(({ id }) => id === mailingListId);
  const parts = [
    ...(mailingListId === null ? [] : [`the mailing list "${list?.name ?? mailingListId}"`]),
    ...(segment ? [`the segment "${segment.name}"`] : []),
    ...(filter ? [`the filter (${wordsOfConditions(filter)})`] : []),
  ];
  return {
    subject: subject || "(no subject)",
    from: [fromName, fromEmail && `<${fromEmail}@…>`].filter(Boolean).join(" ") || "(no sender)",
    audience: parts.join(" and ") || "all contacts",
  };
};
