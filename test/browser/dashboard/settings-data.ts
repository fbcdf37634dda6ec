import { type Mailspan, until } from "../../system/mailspan.ts";
import { asOperator } from "./data.ts";

/** What the email service of a bench needs for sending domains and outgoing webhooks. Its resolver gives no answer. */
export const settingsVars = {
  WEBHOOKS_ALLOW_PRIVATE: "1",
  DKIM_KEY_SECRET: "test-dkim-secret",
  DNS_OVER_HTTPS_URL: "http://127.0.0.1:9/dns-query",
};

/** A sending domain whose records are not entered anywhere. Gives its id. */
const addDomain = async ({ emailUrl }: Mailspan, name: string): Promise<string> =>
  (await asOperator<{ id: string }>(`${emailUrl}/admin/teams/demo/domains`, "POST", { name })).id;

/** An address that refuses the connection, for outgoing webhooks where private ones are allowed. */
export const REFUSING = "http://127.0.0.1:9/hooks";

/** The contact that has not confirmed. */
export const PENDING = "eve@pending.example";

/** An outgoing webhook whose test event was not taken. Gives its id. The email service has to allow private addresses. */
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

/** A contact that has not answered its confirmation mail. */
const addPending = async ({ emailUrl }: Mailspan, email: string): Promise<void> => {
  const team = `${emailUrl}/admin/teams/demo`;
  await asOperator(team, "POST", { doubleOptIn: true });
  await asOperator(`${team}/v1/contacts/create`, "POST", { email });
  // Who is pending stays pending.
  await asOperator(team, "POST", { doubleOptIn: false });
};

/** A sending domain, a contact that has not confirmed, and an outgoing webhook whose test event was not taken. Gives their ids. */
export const addSettings = async (mailspan: Mailspan, name: string) => {
  await addPending(mailspan, PENDING);
  return { domain: await addDomain(mailspan, name), endpoint: await addEndpoint(mailspan) };
};
