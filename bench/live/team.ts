import { startResolver } from "../../test/dns/stand-in.ts";
import { addVerifiedDomain } from "../../test/dns/verified.ts";
import { FILL } from "../fill.ts";
import { type Scale, SECRETS, startScale } from "../scale/start.ts";
import type { Sink } from "../sending/start.ts";

const CHUNK = 50_000;

export type Team = Awaited<ReturnType<typeof startTeam>>;

/** Starts the three Workers with a team and a sending domain. */
export const startTeam = async (sink: Sink) => {
  const dns = await startResolver();
  const scale: Scale = await startScale({
    DKIM_KEY_SECRET: "dkim-secret-of-the-measurement",
    PUBLIC_URL: "https://mail.acme.example",
    DNS_OVER_HTTPS_URL: dns.url,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
    TRANSACTIONAL_SENDER: "smtp",
    MARKETING_SENDER: "smtp",
  });
  const owner = { emailUrl: scale.emailUrl, token: SECRETS.ADMIN_TOKEN, team: "demo", name: "demo.example" };
  const domain = await addVerifiedDomain(owner, dns);
  // biome-ignore lint/suspicious/noExplicitAny: answers of operations whose shapes the tests check.
  const ask = async (path: string, body?: object): Promise<any> => {
    const { status, json } = await scale.ask(`/email/teams/demo${path}`, body);
    if (status >= 300) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`);
    return json;
  };
  const get = (path: string) => ask(path);
  const post = (path: string, body: object = {}) => ask(path, body);
  // A new domain may send 500 marketing mails on its first day.
  await post(`/domains/${domain.id}`, { warmup: false });
  return {
    scale,
    get,
    post,
    /** Both bounds are included. */
    addContacts: async (from: number, to: number): Promise<void> => {
      for (let first = from; first <= to; first += CHUNK)
        await scale.fillEmail({ query: FILL, rows: [[first, Math.min(to, first + CHUNK - 1)]] });
    },
    stop: async () => {
      await scale.stop();
      await dns.stop();
    },
  };
};

export const MAIL = {
  subject: "For you, {contact.firstName}",
  fromName: "Acme",
  fromEmail: "hello",
  lmx: `<Style />\n${"<Paragraph>Hello {contact.firstName}, your plan is {contact.plan}. Thank you.</Paragraph>\n".repeat(4)}`,
};
