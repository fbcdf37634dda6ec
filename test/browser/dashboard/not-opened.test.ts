import { setTimeout } from "node:timers/promises";
import { beforeAll, expect, it } from "vitest";
import { PUBLIC_URL, secrets, until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { addCampaign, asOperator, campaignSent, sendCampaign } from "./data.ts";

const { enter, mailspan } = dashboardBench();

const PERSON = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const NAMES = ["ada", "grace", "joan"];
const emailOf = (name: string) => `${name}@open.example`;
const team = () => `${mailspan().emailUrl}/admin/teams/demo`;

const mailTo = (email: string, subject: string) =>
  until(`a mail to ${email}`, async () =>
    (await mailspan().inbox()).mails.find((mail) => mail.to.includes(email) && mail.subject === subject),
  );

/** Loads the picture of the mail, as the mail program of a person does. */
const openMail = async (email: string): Promise<void> => {
  const { id } = await mailTo(email, "Spring is here");
  const [, path] = new RegExp(`src="${PUBLIC_URL}(/t/o/[^"]+)"`).exec((await mailspan().mail(id)).html) ?? [];
  const opened = await fetch(`${mailspan().emailUrl}${path}`, { headers: { "User-Agent": PERSON } });
  expect(opened.headers.get("Content-Type")).toBe("image/gif");
  await opened.arrayBuffer();
};

let id = "";
beforeAll(async () => {
  for (const name of NAMES)
    await asOperator(`${team()}/v1/contacts/create`, "POST", { email: emailOf(name), firstName: name });
  id = await addCampaign(mailspan(), "Spring sale");
  await sendCampaign(mailspan(), id);
  await campaignSent(mailspan(), id);
  // Never got the campaign: came later.
  await asOperator(`${team()}/v1/contacts/create`, "POST", { email: emailOf("late") });
  // A request within five seconds is of a scanner.
  await setTimeout(5_500);
  await openMail(emailOf("ada"));
});

it("a sent campaign goes again to those who got it and did not open it, and to nobody else", async () => {
  const page = await enter({ path: `/campaigns/${id}` });
  await page.getByRole("button", { name: "Send to those who did not open it" }).click();
  const question = page.getByRole("dialog", { name: "Send Spring sale again to those who did not open it?" });
  await question.getByText("It sends nothing yet.").waitFor();
  expect(await violationsOf(page)).toEqual([]);
  await question.getByRole("button", { name: "Make a draft" }).click();
  await page.waitForURL((url) => url.pathname.startsWith("/campaigns/cmp_") && !url.pathname.endsWith(id));
  const count = page.getByRole("status", { name: "Count" });
  await count.getByText("2 contacts would get it").waitFor();

  const again = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await sendCampaign(mailspan(), again);
  await campaignSent(mailspan(), again);
  const response = await fetch(`${team()}/campaigns/${again}/recipients.csv`, {
    headers: { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` },
  });
  const rows = (await response.text()).trim().split("\r\n").slice(1);
  expect(rows.map((row) => row.split(",")[0]).sort()).toEqual([emailOf("grace"), emailOf("joan")]);
});
