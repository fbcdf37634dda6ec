import { execFile } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { teamServiceOf } from "../../scripts/lib/team-service.ts";
import { startResolver } from "../dns/stand-in.ts";
import { addVerifiedDomain } from "../dns/verified.ts";
import { type Behavior, createMailProvider } from "../mail-provider/relay.ts";
import { listen } from "../mail-provider/tcp.ts";
import { type Mailspan, secrets, startMailspan, until } from "./mailspan.ts";

// A server that refuses half of a campaign because of the rate, with the code of an unknown mailbox.

const PEOPLE = 160;
const GOOD = "other.example";
const LIMITED = "gd.example";

const behavior: Behavior = {
  rcpt: (address) =>
    address.endsWith(LIMITED)
      ? `550 5.1.1 <${address}> - 192.0.2.7 has sent to too many recipients within this hour`
      : undefined,
};
const { serve, seen } = createMailProvider(behavior);
const stops: (() => unknown)[] = [];
let mailspan: Mailspan;
let key = "";

const vars = () => ({ ADMIN_TOKEN: secrets.ADMIN_TOKEN, EMAIL_API_KEY: key });
const serviceOf = (area: string) => teamServiceOf(area, { url: mailspan.emailUrl }, vars());

/** Runs a command of package.json. Returns its text. */
const command = (script: "campaign" | "suppressions", ...args: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const path = join(import.meta.dirname, `../../scripts/${script}.ts`);
    const env = { PATH: process.env.PATH, ...vars() };
    execFile(process.execPath, [path, ...args, "--url", mailspan.emailUrl], { env }, (error, stdout, stderr) =>
      error ? reject(new Error(stdout + stderr)) : resolve(stdout),
    );
  });

const importPeople = async (): Promise<void> => {
  const people = Array.from({ length: PEOPLE }, (_, n) => `p${n}@${n % 2 === 0 ? LIMITED : GOOD}`);
  const { admin } = serviceOf("imports");
  const file = new Blob([["email", ...people].join("\n")], { type: "text/csv" });
  const { id } = await admin<{ id: string }>("POST", "?name=people.csv", file);
  await admin("POST", `/${id}/start`, { mapping: { email: "email" } });
  await until("the import", async () => {
    const { state } = await admin<{ state: string }>("GET", `/${id}`);
    return state === "done" ? true : undefined;
  });
};

beforeAll(async () => {
  const relay = await listen(serve);
  stops.push(relay.stop);
  const dns = await startResolver();
  stops.push(() => dns.stop());
  mailspan = await startMailspan(
    {},
    {
      TRANSACTIONAL_SENDER: "smtp",
      MARKETING_SENDER: "smtp",
      DKIM_KEY_SECRET: "test-dkim-secret",
      DNS_OVER_HTTPS_URL: dns.url,
      SPF_INCLUDE: "ip4:192.0.2.1",
      SMTP_URL: `smtp://127.0.0.1:${relay.port}?tls=off`,
    },
  );
  stops.push(mailspan.stop);
  key = await mailspan.newTeam("wave");
  await mailspan.emailAdmin("/admin/teams/wave", { postalAddress: "1 Main Street" });
  const where = { emailUrl: mailspan.emailUrl, token: secrets.ADMIN_TOKEN, team: "wave", name: "acme.example" };
  await addVerifiedDomain(where, dns);
  await importPeople();
  const api = serviceOf("campaigns").api();
  const { emailMessageId } = await api.campaigns.create({ name: "News" });
  const message = { subject: "News", fromName: "Acme", fromEmail: "news", lmx: "<Paragraph>Hello</Paragraph>" };
  await api.emailMessages.update({ emailMessageId, ...message });
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

const taken = () => seen.mails.flatMap(({ to }) => to);

it("a wave suppresses no address and holds the campaign with its cause; after the resume each gets one mail", async () => {
  const { admin } = serviceOf("");
  const suppressions = async () => (await admin<{ data: unknown[] }>("GET", "suppressions")).data;
  await command("campaign", "send", "news", "--expected", String(PEOPLE));
  await until("the hold", async () => {
    const text = await command("campaign", "show", "news");
    return text.includes("Sending, held") ? true : undefined;
  });
  const shown = await command("campaign", "show", "news");
  expect(shown).toContain("GoDaddy refused it by its rule IB607: more recipients in an hour than it takes");
  expect(shown).toContain("Fix the cause and resume it");
  expect(shown).toMatch(/^npm run campaign -- resume cmp_\w+ lets it go on/m);
  const { attention } = await admin<{ attention: { kind: string; text: string }[] }>("GET", "overview");
  expect(attention).toContainEqual(
    expect.objectContaining({ kind: "campaign_held", text: expect.stringContaining("IB607") }),
  );
  expect(await suppressions()).toEqual([]);
  expect(await command("suppressions", "waves")).toContain("There was no wave");
  expect(taken().filter((to) => to.endsWith(LIMITED))).toEqual([]);

  delete behavior.rcpt;
  await command("campaign", "resume", "news");
  expect(await command("campaign", "watch", "news")).toContain(`sent ${PEOPLE}, of an audience of ${PEOPLE}`);
  expect(taken()).toHaveLength(PEOPLE);
  expect(new Set(taken()).size).toBe(PEOPLE);
  expect(await suppressions()).toEqual([]);
});
