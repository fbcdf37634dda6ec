import { beforeAll, describe, expect, it } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import { sampled } from "../../sample.ts";
import { secrets } from "../../system/mailspan.ts";
import { dashboardBench } from "./bench.ts";
import { crawl } from "./crawl.ts";
import { addCampaign } from "./data.ts";
import { addSettings, settingsVars } from "./settings-data.ts";

const CASES = [
  ["both Workers", { hasBridge: true, hasEmail: true }],
  ["the bridge with another email service with the v1 API", { hasBridge: true, hasEmail: false }],
  ["the email service alone", { hasBridge: false, hasEmail: true }],
] as const;

const OF_BRIDGE = [
  ["/webhooks", "Webhooks"],
  ["/deliveries", "Deliveries"],
  ["/sources/rules", "Rules"],
  ["/sources", "Sources"],
  ["/webhooks/replays/new", "Replays"],
  ["/deliveries/throughput", "Throughput"],
] as const;
const OF_EMAIL = [
  ["/sent", "Sent mail"],
  ["/campaigns", "Campaigns"],
  ["/settings/keys", "API keys"],
  ["/settings/domains", "Sending domains"],
  ["/settings/webhooks", "Outgoing webhooks"],
] as const;

const isEntry = ([path]: readonly [string, string]): boolean => /^\/[^/]+$/.test(path);

describe.each(sampled(CASES))("the dashboard of %s", (_, halves) => {
  const { enter, mailspan } = dashboardBench({}, settingsVars, halves);
  const shown = [...(halves.hasBridge ? OF_BRIDGE : []), ...(halves.hasEmail ? OF_EMAIL : [])];
  const hidden = [...(halves.hasBridge ? [] : OF_BRIDGE), ...(halves.hasEmail ? [] : OF_EMAIL)];

  beforeAll(async () => {
    const given = { secret: secrets.STRIPE_WEBHOOK_SECRET, now: Date.now() };
    const { headers, raw } = await signedSample("stripe", "checkout.session.completed", given);
    const { id } = (await (await mailspan().post("stripe", raw, headers)).json()) as { id: string };
    await mailspan().settled(id);
    await addCampaign(mailspan(), "Spring sale");
    await addSettings(mailspan(), "mail.cases.example");
  });

  // It opens about a hundred pages.
  it("lists the pages of what is deployed, has no dead link on any of them, and says of the others which half is missing", {
    timeout: 300_000,
  }, async () => {
    const page = await enter();
    const latest = page.getByRole("table", { name: halves.hasBridge ? "Latest webhooks" : "Latest mails" });
    await latest.getByRole("link").first().waitFor();
    expect(await page.getByRole("heading", { name: "Latest" }).count()).toBe(1);
    const labels = await page.getByRole("navigation", { name: "Pages" }).getByRole("link").allTextContents();
    expect(labels).toContain("People");
    for (const [path, label] of shown.filter(isEntry)) expect([path, labels.includes(label)]).toEqual([path, true]);
    for (const [path, label] of hidden.filter(isEntry)) expect([path, labels.includes(label)]).toEqual([path, false]);
    const crawled = await crawl(page, mailspan().dashboardUrl ?? "", ["/", "/people/ada@example.com"]);
    expect(crawled.filter(({ fault }) => fault !== undefined)).toEqual([]);
    const paths = crawled.map(({ path }) => path.replace(/\?.*/, ""));
    expect(paths).toEqual(expect.arrayContaining(["/people", "/settings", ...shown.map(([path]) => path)]));
    if (halves.hasBridge) expect(paths).toContainEqual(expect.stringMatching(/^\/webhooks\/wh_/));
    if (halves.hasBridge) expect(paths).toContain("/sources/stripe");
    if (halves.hasEmail) expect(paths).toContainEqual(expect.stringMatching(/^\/sent\/snd_/));
    if (halves.hasEmail) expect(paths).toContainEqual(expect.stringMatching(/^\/campaigns\/cmp_/));
    if (halves.hasEmail) expect(paths).toContainEqual(expect.stringMatching(/^\/settings\/domains\/dom_/));
    if (halves.hasEmail) expect(paths).toContainEqual(expect.stringMatching(/^\/settings\/webhooks\/whk_/));
    const half = halves.hasBridge ? "the email service" : "the bridge";
    for (const [path, label] of hidden) {
      await page.goto(`${mailspan().dashboardUrl}${path}`);
      await page.getByRole("heading", { level: 1, name: label }).waitFor();
      await page.getByText(`This page needs ${half}, which is not deployed here.`).waitFor();
    }
  });
});
