import { setTimeout } from "node:timers/promises";
import { askToEnd } from "../../../src/lib/contract/admin/to-end.ts";
import { type Mailspan, secrets, until } from "../../system/mailspan.ts";
import { clerkWebhook } from "../../system/signed.ts";
import { publish } from "./template.ts";

const WELCOME = "tpl_welcome";
const LACKING = "<Paragraph>Order {data.orderNumber}</Paragraph>";

export const asOperator = async <T>(url: string, method = "GET", body?: object): Promise<T> => {
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" };
  const ask = () => fetch(url, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  let response = await ask();
  // The setup exceeds the operator's rate limit. A refused request has done nothing.
  for (let n = 0; n < 20 && response.status === 429; n += 1) {
    await setTimeout(100);
    response = await ask();
  }
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json() as Promise<T>;
};

/** A new Clerk user, who gets a welcome mail. Returns the webhook when its deliveries are settled. */
const signUp = async (mailspan: Mailspan, name: string) => {
  const { payload, headers } = clerkWebhook((event) => {
    event.data.id = `user_${name}`;
    event.data.email_addresses[0].email_address = `${name}@example.com`;
  });
  const { id } = (await (await mailspan.post("clerk", payload, headers)).json()) as { id: string };
  return mailspan.settled(id, 60_000);
};

/** Adds something for every page, with one delivery that needs a person. */
export const seed = async (mailspan: Mailspan, name: string): Promise<{ webhook: string; send: string }> => {
  const { client, emailUrl } = mailspan;
  const team = `${emailUrl}/admin/teams/demo`;
  const email = `ada@${name}.example`;
  await asOperator(`${team}/lists`, "POST", { name: "News" });
  await client.updateContact({ email });
  await client.sendTransactionalEmail({ transactionalId: WELCOME, email, dataVariables: { name: "Ada" } });
  const { data } = await asOperator<{ data: { id: string }[] }>(`${team}/sends?to=${email}`);
  const [webhook] = await signUpInVain(mailspan, [name]);
  return { webhook: webhook?.id ?? "", send: data[0]?.id ?? "" };
};

/** A draft of a campaign that can be sent. `fields`: its audience and time. */
export const addCampaign = async (mailspan: Mailspan, name: string, fields: object = {}): Promise<string> => {
  // The operator's path to the v1 API does not use the team's rate limit.
  const v1 = `${mailspan.emailUrl}/admin/teams/demo/v1`;
  type Made = { id: string; emailMessageId: string; emailMessageContentRevisionId: string };
  const made = await asOperator<Made>(`${v1}/campaigns`, "POST", { name, ...fields });
  await asOperator(`${v1}/email-messages/${made.emailMessageId}`, "POST", {
    expectedRevisionId: made.emailMessageContentRevisionId,
    subject: "Spring is here",
    fromName: "Acme",
    fromEmail: "news",
    lmx: '<Paragraph><Link href="https://shop.example.com/">Shop</Link></Paragraph>',
  });
  return made.id;
};

export const sendCampaign = async (mailspan: Mailspan, id: string, delaySeconds = 0): Promise<void> => {
  const campaign = `${mailspan.emailUrl}/admin/teams/demo/campaigns/${id}`;
  type Estimate = { recipients: number; next: string | null };
  const count = (more: object) => asOperator<Estimate>(`${campaign}/estimate`, "POST", { exact: true, ...more });
  const { recipients: expected } = await askToEnd(count);
  await asOperator(`${campaign}/send`, "POST", { expected, delaySeconds });
};

export const campaignSent = (mailspan: Mailspan, id: string): Promise<true> =>
  until(
    `${id} is sent`,
    async () => {
      const path = `${mailspan.emailUrl}/admin/teams/demo/campaigns/${id}/status`;
      const { progress } = await asOperator<{ progress: { finishedAt: string | null } | null }>(path);
      return progress?.finishedAt ? true : undefined;
    },
    60_000,
  );

/**
 * New users with a failed welcome mail: its template needs a value that the rule does not send. The template is fixed
 * afterwards.
 */
export const signUpInVain = async (mailspan: Mailspan, names: readonly string[]) => {
  // The operator's path to the v1 API does not use the team's rate limit.
  const api = { url: `${mailspan.emailUrl}/admin/teams/demo`, key: secrets.ADMIN_TOKEN };
  await publish(api, WELCOME, (lmx) => `${lmx}\n${LACKING}`);
  const webhooks = await Promise.all(names.map((name) => signUp(mailspan, name)));
  await publish(api, WELCOME, (lmx) => lmx.replace(LACKING, ""));
  return webhooks;
};

const FILE = "E-mail,First name,Seats\nada@file.example,Ada,3\nnot an address,Bob,4\n";

/** Adds a segment, an import with its file, and a finished import. Returns their ids. */
export const addAudience = async (
  mailspan: Mailspan,
): Promise<{ segment: string; ready: string; imported: string }> => {
  const team = `${mailspan.emailUrl}/admin/teams/demo`;
  const filter = { match: "all", conditions: [{ type: "property", key: "firstName", operator: "notEmpty" }] };
  const segment = await asOperator<{ id: string }>(`${team}/v1/audience-segments`, "POST", { name: "Named", filter });
  const upload = async (): Promise<string> => {
    const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "text/csv" };
    const answer = await fetch(`${team}/imports?name=people.csv`, { method: "POST", headers, body: FILE });
    return ((await answer.json()) as { id: string }).id;
  };
  const [ready, imported] = [await upload(), await upload()];
  const mapping = { "E-mail": "email", "First name": "firstName" };
  await asOperator(`${team}/imports/${imported}/start`, "POST", { mapping });
  await until("the file is imported", async () => {
    const { state } = await asOperator<{ state: string }>(`${team}/imports/${imported}`);
    return state === "done" ? true : undefined;
  });
  return { segment: segment.id, ready, imported };
};
