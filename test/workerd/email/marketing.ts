import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { contactInRow } from "../../../src/email/workspace/contacts/contact-rows.ts";
import type { Workspace } from "../../../src/email/workspace/object.ts";
import { acceptMarketing, marketingContent } from "../../../src/email/workspace/sending/marketing/accept.ts";
import { compileMessage } from "../../../src/lib/lmx/message/compile-message.ts";
import { emptySource, type MessageSource } from "../../../src/lib/lmx/message/message-source.ts";
import { appWith, request, runAlarm, type Team } from "./bench.ts";
import { contextOf } from "./workspace/counted.ts";

/** The app with the Mailers' secrets for signed links. */
export const linksApp = appWith({
  API_KEY_SECRET: (env as unknown as { API_KEY_SECRET: string }).API_KEY_SECRET,
});

export const SITE = "https://mail.example.com";

export const BROWSER =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";

/** Adds a message of a campaign, or of a missing workflow, and returns its revision. */
export const addMarketingMessage = (
  team: Team,
  lmx: string,
  source: Partial<MessageSource> = {},
  kind: "campaign" | "workflow" = "campaign",
): Promise<number> =>
  team.inside((sql) => {
    const whole = { ...emptySource, subject: "News", fromName: "Acme", fromEmail: "news", lmx, ...source };
    const { compiled, problems } = compileMessage(whole, kind, {});
    if (!compiled) throw new Error(JSON.stringify(problems));
    const { n } = sql
      .exec<{ n: number }>(
        "INSERT INTO email_messages (id, revision, created_at, updated_at) VALUES ('msg_news' || (SELECT count(*) FROM email_messages), 0, 0, 0) RETURNING n",
      )
      .one();
    const { revision } = sql
      .exec<{ revision: number }>(
        "INSERT INTO message_revisions (message, source, compiled, created_at) VALUES (?, ?, ?, 0) RETURNING n AS revision",
        n,
        JSON.stringify(whole),
        JSON.stringify(compiled),
      )
      .one();
    sql.exec("UPDATE email_messages SET revision = ? WHERE n = ?", revision, n);
    return revision;
  });

type Options = { list?: string; origin?: string; run?: number; event?: Record<string, unknown> };

/** Accepts a marketing mail to the contact with this address. The object's alarm sends it. */
export const accept = (team: Team, revision: number, email: string, options: Options = {}) =>
  runInDurableObject(team.stub, async (_: Workspace, { storage }) => {
    const { sql } = storage;
    const { n } = sql.exec<{ n: number }>("SELECT n FROM contacts WHERE email = ?", email).one();
    const contact = contactInRow(sql, n);
    if (!contact) throw new Error(`There is no contact ${email}.`);
    const content = marketingContent(sql, revision);
    const mail = { content, contact, domain: "mailspan.localhost", ...options };
    const accepted = storage.transactionSync(() => acceptMarketing(contextOf(sql), mail));
    await storage.setAlarm(Date.now());
    return accepted;
  });

/** Sends waiting mail and returns the newest captured mail to an address. */
export const sendTo = async (team: Team, email: string) => {
  await runAlarm(team.stub);
  const { mails } = (await request("GET", "/inbox.json")).json as { mails: { id: string; to: string }[] };
  const found = mails.find(({ to }) => to === email);
  return found && (await request("GET", `/inbox/${found.id}.json`)).json;
};

export const visit = async (url: string, agent = BROWSER, method = "GET", headers: Record<string, string> = {}) => {
  const response = await linksApp.request(new URL(url, SITE).href, {
    method,
    headers: { "User-Agent": agent, ...headers },
  });
  return {
    status: response.status,
    headers: response.headers,
    text: Buffer.from(await response.arrayBuffer()).toString("latin1"),
  };
};

export const linksOf = (html: string): string[] =>
  [...html.matchAll(/ href="([^"]*)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));

export const pictureIn = (html: string): string => /<img src="([^"]*\/t\/o\/[^"]*)"/.exec(html)?.[1] ?? "";
