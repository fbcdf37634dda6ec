import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { teamServiceOf } from "../../scripts/lib/team-service.ts";
import { type Mailspan, secrets, startMailspan, until } from "../system/mailspan.ts";

const PEOPLE = 30;

let mailspan: Mailspan;
let folder: string;

const vars = () => ({ ADMIN_TOKEN: secrets.ADMIN_TOKEN, EMAIL_API_KEY: mailspan.key });

const campaign = async (...args: string[]): Promise<{ code: number; text: string }> => {
  const script = join(import.meta.dirname, "../../scripts/campaign.ts");
  const env = { PATH: process.env.PATH, ...vars() };
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args, "--url", mailspan.emailUrl], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, text: stdout + stderr }),
    );
  });
};

const importPeople = async (): Promise<void> => {
  const people = Array.from({ length: PEOPLE }, (_, n) => `p${n}@example.com,true`);
  const csv = ["email,subscribed", ...people, "left@example.com,false"].join("\n");
  const { admin } = teamServiceOf("imports", { url: mailspan.emailUrl }, vars());
  const { id } = await admin<{ id: string }>("POST", "?name=people.csv", new Blob([csv], { type: "text/csv" }));
  await admin("POST", `/${id}/start`, { mapping: { email: "email", subscribed: "subscribed" } });
  await until("the import", async () => {
    const { state } = await admin<{ state: string }>("GET", `/${id}`);
    return state === "done" ? true : undefined;
  });
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "mailspan-campaigns-"));
  mailspan = await startMailspan();
  await importPeople();
  const api = teamServiceOf("campaigns", { url: mailspan.emailUrl }, vars()).api();
  const filter = {
    match: "all",
    conditions: [{ type: "property", key: "email", operator: "contains", value: "@example.com" }],
  };
  const draft = await api.campaigns.create({ name: "Spring sale", audienceFilter: filter as never });
  await api.emailMessages.update({
    emailMessageId: draft.emailMessageId,
    subject: "Spring is here",
    fromName: "Acme",
    fromEmail: "news",
    lmx: '<H1>Spring</H1><Button href="https://example.com/sale">To the sale</Button>',
  });
});
afterAll(async () => {
  await mailspan.stop();
  await rm(folder, { recursive: true, force: true });
});

describe("npm run campaign", () => {
  it("estimates, and refuses sending that nobody confirmed or that names another number", async () => {
    const estimate = await campaign("estimate", "spring sale");
    expect(estimate).toMatchObject({ code: 0 });
    expect(estimate.text).toMatch(new RegExp(`^Recipients +${PEOPLE}$[\\s\\S]*^ +not: unsubscribed +1$`, "m"));
    const [unconfirmed, wrong, dry] = await Promise.all([
      campaign("send", "spring sale"),
      campaign("send", "spring sale", "--expected", "3"),
      campaign("send", "spring sale", "--dry-run"),
    ]);
    expect(unconfirmed.text).toMatch(/^Subject +Spring is here$[\s\S]*Confirm with --expected 30\.\n$/m);
    expect(wrong.text).toContain("would go to 30 recipients now, not to 3.");
    expect([unconfirmed.code, wrong.code, dry.code]).toEqual([2, 1, 0]);
    expect((await campaign("list", "--json")).text).toContain('"status": "Draft"');
  });

  it("sends, watches to the end, and shows the results and every recipient", async () => {
    const sent = await campaign("send", "spring sale", "--expected", String(PEOPLE), "--watch");
    expect(sent.text).toContain(`Spring sale is done`);
    expect(sent.text).toContain(`sent ${PEOPLE}, skipped 1, of an audience of ${PEOPLE + 1}.`);
    expect(sent.code).toBe(0);
    const { mails } = await mailspan.inbox();
    const got = mails.filter(({ subject }) => subject === "Spring is here").map(({ to }) => to);
    expect(got.toSorted()).toEqual(Array.from({ length: PEOPLE }, (_, n) => `p${n}@example.com`).toSorted());

    const results = await campaign("results", "spring sale");
    expect(results.text).toMatch(/^sent +30 /m);
    expect(results.text).toMatch(/^https:\/\/example\.com\/sale +0 +0/m);
    const file = join(folder, "recipients.csv");
    expect((await campaign("recipients", "spring sale", "--out", file)).code).toBe(0);
    const [head, ...rows] = (await readFile(file, "utf8")).trim().split(/\r?\n/);
    expect(head).toContain("email");
    expect(rows).toHaveLength(PEOPLE + 1);
    const skipped = await campaign("recipients", "spring sale", "--state", "skipped");
    expect(skipped.text).toMatch(/left@example\.com +skipped/);
    const contact = await campaign("contact", "spring sale", "left@example.com", "--json");
    expect(JSON.parse(contact.text)).toMatchObject({ contact: { email: "left@example.com" } });

    const again = await campaign("send", "spring sale", "--expected", String(PEOPLE), "--json");
    expect([again.code, JSON.parse(again.text)]).toMatchObject([1, { code: "campaign_not_draft" }]);
  });
});
