import type { CompiledMessage } from "../../src/email/types/compiled-message.ts";
import { addVerifiedDomain } from "../../test/dns/verified.ts";
import { ADMIN_TOKEN, ask, createTeam } from "../ask.ts";
import type { Running } from "./start.ts";

const SENTENCE = "Your subscription was renewed for one month, thank you, it means a lot to all of us at Acme.";
/** A mail of 10 kB. */
export const documentOf = (name: (n: number) => string): string => {
  const paragraph = (n: number) =>
    `<Paragraph>Dear {${name(n)}}, ${SENTENCE} <Strong>${SENTENCE}</Strong></Paragraph>\n`;
  return `<Style />\n${Array.from({ length: 9 }, (_, n) => paragraph(n)).join("")}`;
};
type State = { class: string; state: string; mails: number };

export const benchOf = (url: string) => {
  const call = (body: object) => ask("POST", `${url}/bench`, "", body);
  return {
    /** The mails wait for `begin`. */
    add: (count: number) => call({ what: "add", count }),
    begin: (mailers: number) => call({ what: "begin", mailers }),
    prepare: (content: CompiledMessage) =>
      call({ what: "prepare", content, values: JSON.stringify({ "contact.firstName": "Ada" }) }),
    written: (): Promise<CompiledMessage> => call({ what: "written" }),
    states: (): Promise<State[]> => call({ what: "states" }),
  };
};

/** Creates a team with a sending domain, a template and a campaign. */
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
  const content = (name: string) => ({
    subject: `Your subscription, {${name}}`,
    fromName: "Acme",
    fromEmail: "hello",
    lmx: documentOf(() => name),
  });
  const { id, draftEmailMessageId } = await post("/transactional-emails", { name: "Renewal" });
  await post(`/email-messages/${draftEmailMessageId}`, content("data.name"));
  await post(`/transactional-emails/${id}/publish`, {});
  const { emailMessageId } = await post("/campaigns", { name: "Renewals" });
  await post(`/email-messages/${emailMessageId}`, content("contact.firstName"));
  return {
    get: (path: string) => call("GET", path),
    post,
    send: (email: string) => post("/transactional", { transactionalId: id, email, dataVariables: { name: "Ada" } }),
  };
};
