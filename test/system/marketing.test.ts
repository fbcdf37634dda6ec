import PostalMime from "postal-mime";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { startWorker } from "../../scripts/worker.ts";
import { isValidDkim, tagsOf } from "../dkim.ts";
import { startResolver } from "../dns/stand-in.ts";
import { addVerifiedDomain } from "../dns/verified.ts";
import { createMailProvider } from "../mail-provider/relay.ts";
import { listen } from "../mail-provider/tcp.ts";
import { until } from "./mailspan.ts";

const ADMIN_TOKEN = "test-admin-token-of-the-test";
const SITE = "https://mail.example.com";
const SHOP = "https://shop.example.com/sale?utm_source=news&n=1";
const LMX = `<Paragraph>Hello {contact.firstName}, <Link href="${SHOP.replace("&", "&amp;")}">see the sale</Link></Paragraph>
<Paragraph><Link href="https://shop.example.com/imprint" notrack="true">Imprint</Link></Paragraph>`;
const BROWSER = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0";

const { serve, seen } = createMailProvider();
let mailProvider: Awaited<ReturnType<typeof listen>>;
let dns: Awaited<ReturnType<typeof startResolver>>;
let worker: Awaited<ReturnType<typeof startWorker>>;
let publicKey = "";
let list = "";
let key = "";

const ask = async (method: string, path: string, body?: object, bearer = ADMIN_TOKEN) => {
  const response = await fetch(worker.url + path, {
    method,
    headers: { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return (await response.json()) as Record<string, unknown> & { id: string; key: string };
};

beforeAll(async () => {
  dns = await startResolver();
  mailProvider = await listen(serve);
  worker = await startWorker({
    script: await bundle(`${import.meta.dirname}/marketing-worker.ts`),
    vars: {
      ADMIN_TOKEN,
      API_KEY_SECRET: "test-key-secret",
      DKIM_KEY_SECRET: "test-dkim-secret",
      PUBLIC_URL: SITE,
      TRANSACTIONAL_SENDER: "smtp",
      MARKETING_SENDER: "smtp",
      DNS_OVER_HTTPS_URL: dns.url,
      SMTP_URL: `smtp://127.0.0.1:${mailProvider.port}?tls=off`,
      SPF_INCLUDE: "ip4:192.0.2.1",
    },
    objects: {
      WORKSPACE: "Workspace",
      MAILER: "Mailer",
      INBOX_STORE: "Inbox",
      DIRECTORY: "Directory",
      NOTIFIER: "Notifier",
    },
  });
  await ask("POST", "/admin/teams", { id: "acme", name: "Acme" });
  await ask("POST", "/admin/teams/acme", { postalAddress: "1 Main Street" });
  key = (await ask("POST", "/admin/teams/acme/keys", { name: "test" })).key;
  list = (await ask("POST", "/admin/teams/acme/lists", { name: "News", visibility: "public" })).id;
  const where = { emailUrl: worker.url, token: ADMIN_TOKEN, team: "acme", name: "acme.example" };
  const { records } = await addVerifiedDomain(where, dns);
  publicKey = /p=(\S+)/.exec(records.find(({ value }) => value.startsWith("v=DKIM1"))?.value ?? "")?.[1] ?? "";
});
afterAll(async () => {
  await worker.stop();
  mailProvider.stop();
  await dns.stop();
});

const send = async (name: string) => {
  const to = `${name}@example.com`;
  await ask("POST", "/v1/contacts/create", { email: to, firstName: name, mailingLists: { [list]: true } }, key);
  const accepted = await ask("POST", "/campaign", { to, list, domain: "acme.example", lmx: LMX });
  expect(accepted).toMatchObject({ state: "queued" });
  const received = await until(`the mail to ${to}`, async () => seen.mails.find((mail) => mail.to.includes(to)));
  const raw = Buffer.from(received.data).toString("latin1");
  const mail = await PostalMime.parse(received.data);
  const header = (field: string) => mail.headers.find(({ key: name }) => name === field)?.value ?? "";
  return { id: accepted.id, raw, mail, header };
};
const at = (url: string) => worker.url + url.slice(SITE.length);
const contact = async (name: string) => {
  const response = await fetch(`${worker.url}/v1/contacts/find?email=${name}@example.com`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  return ((await response.json()) as { subscribed: boolean; mailingLists: Record<string, boolean> }[])[0];
};

it("a marketing mail has List-Unsubscribe under DKIM, and its one-click POST unsubscribes", async () => {
  const { raw, mail, header } = await send("ada");
  expect(isValidDkim(raw, publicKey)).toBe(true);
  const signed = (tagsOf(raw).h ?? "").toLowerCase().split(":");
  for (const field of ["list-unsubscribe", "list-unsubscribe-post", "list-id"]) expect(signed).toContain(field);
  // Another such field would make the signature invalid.
  for (const field of ["list-unsubscribe", "list-unsubscribe-post"])
    expect(signed.filter((one) => one === field)).toHaveLength(2);
  expect(isValidDkim(raw.replace("List-Unsubscribe=One-Click", "List-Unsubscribe=Two-Clicks"), publicKey)).toBe(false);

  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(header("list-id")).toBe(`<${list}.acme.example>`);
  expect(header("precedence")).toBe("bulk");
  expect(mail.from).toEqual({ name: "Acme", address: "news@acme.example" });
  expect(mail.text).toContain("Hello ada, ");
  expect(mail.text).toContain("Acme\n1 Main Street\nUnsubscribe: https://mail.example.com/u/");

  const [, link = "", address = "", subject] =
    /^<(https:\/\/mail\.example\.com\/u\/[\w-]+)>, <mailto:(\S+)\?subject=(\S+)>$/.exec(header("list-unsubscribe")) ??
    [];
  expect(address).toMatch(/^leave\+acme_\w+@envelope\.acme\.example$/);
  expect(link).toBe(`${SITE}/u/${subject}`);
  expect((await contact("ada"))?.mailingLists[list]).toBe(true);
  const answer = await fetch(at(link), {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded" },
    body: "List-Unsubscribe=One-Click",
    redirect: "manual",
  });
  expect(answer.status).toBe(200);
  expect((await contact("ada"))?.mailingLists[list]).toBeUndefined();
  const next = await ask("POST", "/campaign", { to: "ada@example.com", list, domain: "acme.example", lmx: LMX });
  expect(next).toMatchObject({ state: "not_sent" });
  const { meaning } = await ask("GET", `/admin/teams/acme/sends/${next.id}`);
  expect(meaning).toBe("It was not sent, because the contact was not on the mailing list.");
});

it("its links are tracked on the wire, lead to their pages, and its send tells who opened them", async () => {
  const { mail, id } = await send("bob");
  const html = mail.html ?? "";
  const links = [...html.matchAll(/ href="([^"]*)"/g)].map(([, url = ""]) => url.replaceAll("&amp;", "&"));
  const tracked = links.filter((url) => url.startsWith(`${SITE}/t/c/`));
  expect(tracked).toHaveLength(1);
  expect(links).toContain("https://shop.example.com/imprint");
  const picture = /<img src="([^"]*\/t\/o\/[^"]*)"/.exec(html)?.[1] ?? "";

  const visit = (url: string, method = "GET") =>
    fetch(at(url), { method, headers: { "User-Agent": BROWSER }, redirect: "manual" });
  const [click = ""] = tracked;
  for (const method of ["GET", "HEAD"]) {
    const answer = await visit(click, method);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, SHOP]);
  }
  const opened = await visit(picture);
  expect([opened.status, opened.headers.get("Content-Type")]).toEqual([200, "image/gif"]);
  expect((await fetch(at(`${click.slice(0, -1)}A`), { redirect: "manual" })).status).toBe(404);

  const story = await until("the story of both", async () => {
    const { story } = (await ask("GET", `/admin/teams/acme/sends/${id}`)) as unknown as { story: { text: string }[] };
    return story.length >= 4 ? story.map(({ text }) => text) : undefined;
  });
  expect(story).toContain("The link https://shop.example.com/sale was opened by a scanner, not by a person, 2 times.");
  expect(story).toContain("It was opened by a scanner, not by a person, once.");
});
