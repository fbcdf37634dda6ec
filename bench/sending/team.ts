import type { CompiledMessage } from "../../src/email/types/message.ts";
import { addVerifiedDomain } from "../../test/dns/verified.ts";
import { ADMIN_TOKEN, ask, createTeam } from "../ask.ts";
import type { Running } from "./start.ts";

const SENTENCE = "Your subscription was renewed for one month, thank you, it means a lot to all of us at Acme.";
const PARAGRAPH = `<Paragraph>Dear {data.name}, ${SENTENCE} <Strong>${SENTENCE}</Strong></Paragraph>\n`;
/** As many paragraphs as a mail of 10 kB has, with its headers, its HTML and its text. */
const DOCUMENT = `<Style />\n${PARAGRAPH.repeat(9)}`;
/** The values of a mail. */
export const VALUES = { name: "Ada Lovelace" };

type State = { class: string; state: string; mails: number };

/** Calls the routes of worker.ts. */
export const benchOf = (url: string) => {
  const call = (body: object) => ask("POST", `${url}/bench`, "", body);
  const values = JSON.stringify(
    Object.fromEntries(Object.entries(VALUES).map(([name, value]) => [`data.${name}`, value])),
  );
  return {
    /** Adds marketing mails, which wait for `begin`. */
    add: (count: number) => call({ what: "add", count, values }),
    begin: (mailers: number) => call({ what: "begin", mailers }),
    prepare: (content: CompiledMessage) => call({ what: "prepare", content, values }),
    published: (): Promise<CompiledMessage> => call({ what: "published" }),
    states: (): Promise<State[]> => call({ what: "states" }),
  };
};

/** A team with a sending domain and one published template. */
export const newTeam = async ({ url, dns }: Running) => {
  const call = await createTeam(url, "bench");
  const domain = await addVerifiedDomain(
    { emailUrl: url, token: ADMIN_TOKEN, team: "bench", name: "acme.example" },
    dns,
  );
  // A new domain may send 500 marketing mails on its first day.
  await fetch(`${url}/admin/teams/bench/domains/${domain.id}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify({ warmup: false }),
  });
  const post = (path: string, body: object) => call("POST", path, body);
  const { id, draftEmailMessageId } = await post("/transactional-emails", { name: "Renewal" });
  const fields = { subject: "Your subscription, {data.name}", fromName: "Acme", fromEmail: "hello", lmx: DOCUMENT };
  await post(`/email-messages/${draftEmailMessageId}`, fields);
  await post(`/transactional-emails/${id}/publish`, {});
  return {
    get: (path: string) => call("GET", path),
    post,
    /** Sends the template to an address. */
    send: (email: string) => post("/transactional", { transactionalId: id, email, dataVariables: VALUES }),
  };
};
export type Team = Awaited<ReturnType<typeof newTeam>>;
