import { type Mailspan, until } from "../../system/mailspan.ts";
import { asOperator } from "./data.ts";

/** Variables of the email service for sending domains and outgoing webhooks. Its resolver gives no answer. */
export const settingsVars = {
  WEBHOOKS_ALLOW_PRIVATE: "1",
  DKIM_KEY_SECRET: "test-dkim-secret",
  DNS_OVER_HTTPS_URL: "http://127.0.0.1:9/dns-query",
};

const addDomain = async ({ emailUrl }: Mailspan, name: string): Promise<string> =>
  (await asOperator<{ id: string }>(`${emailUrl}/admin/teams/demo/domains`, "POST", { name })).id;

/** An address that refuses the connection, for outgoing webhooks if private addresses are allowed. */
export const REFUSING = "http://127.0.0.1:9/hooks";

export const PENDING = "eve@pending.example";

const addEndpoint = async ({ emailUrl }: Mailspan): Promise<string> => {
  const webhooks = `${emailUrl}/admin/teams/demo/webhooks`;
  const { id } = await asOperator<{ id: string }>(webhooks, "POST", {
    url: REFUSING,
    events: ["contact.unsubscribed"],
  });
  await asOperator(`${webhooks}/${id}/test`, "POST");
  await until("the test event was attempted", async () => {
    const { data } = await asOperator<{ data: { attempts: number }[] }>(`${webhooks}/${id}`);
    return (data[0]?.attempts ?? 0) > 0 ? true : undefined;
  });
  return id;
};

const addPending = async ({ emailUrl }: Mailspan, email: string): Promise<void> => {
  const team = `${emailUrl}/admin/teams/demo`;
  await asOperator(team, "POST", { doubleOptIn: true });
  await asOperator(`${team}/v1/contacts/create`, "POST", { email });
  await asOperator(team, "POST", { doubleOptIn: false });
};

/**
 * Adds a sending domain, an unconfirmed contact and an outgoing webhook with a failed test event. Returns their ids.
 */
export const addSettings = async (mailspan: Mailspan, name: string) => {
  await addPending(mailspan, PENDING);
  return { domain: await addDomain(mailspan, name), endpoint: await addEndpoint(mailspan) };
};
