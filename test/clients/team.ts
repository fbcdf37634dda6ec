import { type Mailspan, secrets, startMailspan } from "../system/mailspan.ts";

export const EMAIL = "ada@example.com";

/** Both Workers with two dedicated sending addresses. */
export const startService = async (): Promise<Mailspan> => {
  const mailspan = await startMailspan();
  const emailVars = { ADMIN_TOKEN: secrets.ADMIN_TOKEN, API_KEY_SECRET: "test-key-secret", INBOX: "1" };
  await mailspan.restart({ emailVars: { ...emailVars, DEDICATED_SENDING_IPS: "192.0.2.1" } });
  return mailspan;
};

const admin = async ({ emailUrl }: Mailspan, path: string, body: unknown) => {
  const response = await fetch(`${emailUrl}/admin/teams${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as { id: string; key: string };
};

/** A new team with sample templates, a mailing list and a suppressed address, EMAIL. */
export const createTeam = async (mailspan: Mailspan, id: string, createProperties = false) => {
  await admin(mailspan, "", { id, name: "Clients", samples: true, createProperties });
  const { key } = await admin(mailspan, `/${id}/keys`, { name: "test" });
  const { id: list } = await admin(mailspan, `/${id}/lists`, { name: "News" });
  await admin(mailspan, `/${id}/suppressions`, { email: EMAIL });
  return { key, list };
};

/** Waits long enough for the team's limit of 10 requests a second. */
export const pause = () => new Promise((resolve) => setTimeout(resolve, 110));
