import { addVerifiedDomain } from "../../dns/verified.ts";
import { secrets, until } from "../../system/mailspan.ts";
import type { Service } from "./service.ts";

const TEAM = "crash";
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export type Send = { id: string; to: string; state: string; attempts: number };

type Received = { data: Uint8Array };
const messageIdOf = ({ data }: Received): string =>
  /^Message-ID: (<[^>]+>)/im.exec(Buffer.from(data).toString("latin1"))?.[1] ?? "";

/** A team with a verified domain and one published template. */
export const createTeam = async ({ url, dns, seen }: Pick<Service, "url" | "dns" | "seen">) => {
  const delivery = async (method: string, path: string, token: string, body?: object, headers = {}) => {
    const response = await fetch(url() + path, {
      method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: (await response.json()) as never };
  };
  const admin = async <T>(method: string, path: string, body?: object): Promise<T> =>
    (await delivery(method, `/admin/teams${path}`, secrets.ADMIN_TOKEN, body)).body;
  await admin("POST", "", { id: TEAM, name: "Crash" });
  const { key } = await admin<{ key: string }>("POST", `/${TEAM}/keys`, { name: "crash" });
  const owner = { emailUrl: url(), token: secrets.ADMIN_TOKEN, team: TEAM, name: "acme.example" };
  const domain = await addVerifiedDomain(owner, dns);
  // A new domain may send 500 marketing mails on its first day.
  await admin("POST", `/${TEAM}/domains/${domain.id}`, { warmup: false });
  const post = async (path: string, body: object): Promise<never> => {
    const answer = await delivery("POST", `/v1${path}`, key, body);
    if (answer.status !== 429) return answer.body;
    await sleep(200);
    return post(path, body);
  };
  const created: { id: string; draftEmailMessageId: string } = await post("/transactional-emails", { name: "Code" });
  const lmx = "<Style />\n<Paragraph>Your code is {data.code}.</Paragraph>";
  const fields = { subject: "Your code", fromName: "Acme", fromEmail: "hello", lmx };
  await post(`/email-messages/${created.draftEmailMessageId}`, fields);
  await post(`/transactional-emails/${created.id}/publish`, {});

  const sends = async (): Promise<Send[]> => {
    const all: Send[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const cursor: string = next === "" ? "" : `&cursor=${encodeURIComponent(next)}`;
      const page = await admin<{ data: Send[]; next: string | null }>("GET", `/${TEAM}/sends?perPage=50${cursor}`);
      all.push(...page.data);
      next = page.next;
    }
    return all;
  };
  const isOpen = ({ state }: Send) => state === "queued" || state === "sending";
  return {
    sends,
    operate: <T>(method: string, path: string, body?: object) =>
      delivery(method, `/admin/teams/${TEAM}${path}`, secrets.ADMIN_TOKEN, body) as Promise<{
        status: number;
        body: T;
      }>,
    recipients: async (path: string): Promise<{ email: string; state: string }[]> => {
      const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
      const response = await fetch(`${url()}/admin/teams/${TEAM}${path}`, { headers });
      const [, ...lines] = (await response.text()).trimEnd().split("\r\n");
      return lines.map((line) => {
        const [email = "", , state = ""] = line.split(",");
        return { email, state };
      });
    },
    post: post as <T>(path: string, body: object) => Promise<T>,
    send: async (email: string, idempotencyKey?: string): Promise<number> => {
      const body = { transactionalId: created.id, email, dataVariables: { code: "123456" } };
      const headers = idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey };
      return (await delivery("POST", "/v1/transactional", key, body, headers)).status;
    },
    settled: (ms: number): Promise<Send[]> =>
      until(
        "every mail is settled",
        async () => {
          const all = await sends();
          return all.some(isOpen) ? undefined : all;
        },
        ms,
      ),
    copies: ({ id }: Send): number => seen.mails.filter((mail) => messageIdOf(mail).startsWith(`<${id}@`)).length,
  };
};
export type Team = Awaited<ReturnType<typeof createTeam>>;
