import { findCampaign, type StoredCampaign } from "../../../../../src/email/workspace/campaigns/campaign-rows.ts";
import { startCampaign } from "../../../../../src/email/workspace/campaigns/control.ts";
import { advance, request, runAlarm, type Team } from "../../bench.ts";
import { linksOf, SITE } from "../../marketing.ts";
import { contextOf } from "../counted.ts";

/** A campaign with a message, as the API answers. */
export type Made = { id: string; emailMessageId: string };

const LMX =
  '<Paragraph><Link href="https://shop.example.com/sale?x=1&amp;y=2">Sale</Link> <Link href="https://shop.example.com/two">Two</Link></Paragraph>';

export const makeCampaign = async (team: Team, name = "Spring sale", lmx = LMX, fields: object = {}): Promise<Made> => {
  const made = (await team.post("/campaigns", { name, ...fields })).json as Made;
  const content = { subject: "Sale", fromName: "Acme", fromEmail: "news", lmx };
  const { status, text } = await team.post(`/email-messages/${made.emailMessageId}`, content);
  if (status !== 200) throw new Error(text);
  return made;
};

/** Starts a campaign, and sends its mails. A minute later, people open them. */
export const sendCampaign = async (team: Team, { id }: Made) => {
  await team.inside((sql, storage) => {
    const context = contextOf(sql);
    const { campaign } = findCampaign(context, id) as { campaign: StoredCampaign };
    storage.transactionSync(() => startCampaign(context, campaign));
  });
  for (let runs = 0; runs < 5; runs++) {
    advance(1_000);
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await runAlarm(team.stub);
  }
  advance(60_000);
};

export const mailTo = async (email: string): Promise<{ html: string }> => {
  const { mails } = (await request("GET", "/inbox.json")).json as { mails: { id: string; to: string }[] };
  const { id } = mails.find(({ to }) => to === email) ?? { id: "" };
  return (await request("GET", `/inbox/${id}.json`)).json;
};

export const clicksIn = ({ html }: { html: string }): string[] => [
  ...new Set(linksOf(html).filter((url) => url.startsWith(`${SITE}/t/c/`))),
];
