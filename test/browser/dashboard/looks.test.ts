import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import { sampled } from "../../sample.ts";
import { secrets } from "../../system/mailspan.ts";
import { dashboardBench, fits, violationsOf } from "./bench.ts";
import { addContent } from "./content.ts";
import { visit } from "./crawl.ts";
import { addAudience, addCampaign, asOperator, campaignSent, seed, sendCampaign } from "./data.ts";
import { useScheme } from "./faults.ts";
import { looksOf } from "./looks.ts";
import { acceptOn, addPerson, inviteOn, withDevice } from "./passkeys.ts";
import { routesWithoutRow } from "./routes.ts";
import { addSettings, settingsVars } from "./settings-data.ts";
import { settled } from "./watch.ts";
import { actOn, addWorkflow, enterWorkflow, waitAt } from "./workflow-data.ts";

const { open, enter, mailspan } = dashboardBench({}, settingsVars);
let ids: Record<string, string> = {};

beforeAll(async () => {
  const { url, client, emailUrl } = mailspan();
  const { webhook, send } = await seed(mailspan(), "looks");
  const given = { secret: secrets.STRIPE_WEBHOOK_SECRET, now: Date.now() };
  const { headers, raw } = await signedSample("stripe", "checkout.session.completed", given);
  const bought = (await (await mailspan().post("stripe", raw, headers)).json()) as { id: string };
  await mailspan().settled(bought.id);
  await client.updateContact({ email: "ada@looks.example", properties: { firstName: "Ada" } });
  const left = { email: "left@looks.example", subscribed: false };
  await asOperator(`${emailUrl}/admin/teams/demo/v1/contacts/create`, "POST", left);
  await asOperator(`${emailUrl}/admin/teams/demo/suppressions`, "POST", { email: "gone@looks.example" });
  const [draft, sent] = [await addCampaign(mailspan(), "Spring sale"), await addCampaign(mailspan(), "Winter sale")];
  await sendCampaign(mailspan(), sent);
  await campaignSent(mailspan(), sent);
  const { segment, ready, imported } = await addAudience(mailspan());
  const content = await addContent(mailspan());
  const v1 = `${emailUrl}/admin/teams/demo/v1`;
  const { emailMessageId: message } = await asOperator<{ emailMessageId: string }>(`${v1}/campaigns/${draft}`);
  type Email = { publishedEmailMessageId: string };
  const welcome = await asOperator<Email>(`${v1}/transactional-emails/tpl_welcome`);
  ids = {
    segment,
    ready,
    imported,
    webhook,
    send,
    bought: bought.id,
    draft,
    sent,
    message,
    published: welcome.publishedEmailMessageId,
    ...content,
  };
  const flow = await addWorkflow(mailspan(), "Trial");
  await actOn(mailspan(), flow.id, "start");
  await enterWorkflow(mailspan(), flow, ["ada@looks.example"]);
  await waitAt(mailspan(), flow.id, flow.timer, 1);
  const opened = `${flow.id}?node=${flow.timer}`;
  const unstarted = await addWorkflow(mailspan(), "Unstarted");
  const filter = `${unstarted.id}?node=${unstarted.filters[0]}`;
  Object.assign(ids, {
    step: filter,
    tried: `${unstarted.id}?trial=person`,
    played: `${unstarted.id}?trial=events`,
  });
  Object.assign(ids, { flow: flow.id, opened, explained: `${flow.id}?node=${flow.mail}&person=ada@looks.example` });
  Object.assign(ids, await addSettings(mailspan(), "mail.looks.example"));
  await asOperator(`${url}/admin/pause`, "POST", { source: "kinde" });
  const page = await enter();
  await page.evaluate(`fetch("/api/views", {
    method: "PUT",
    headers: { "Content-Type": "application/json", "X-Mailspan": "1" },
    body: JSON.stringify({ name: "${"long".repeat(20)}", path: "/deliveries" })
  })`);
  await addPerson(page, "ada.with.a.long.name@looks.example");
});

/** 720 px are the large window at 200 % zoom. */
const WIDTHS = [320, 390, 720, 1440];
/** Menus and dialogs are in dialogs.test.ts. */
const AXE_WIDTHS = [320, 390, 1440];
/** `npm run screenshots -- --pages` sets the folder. */
const { PICTURES } = process.env;
const PICTURE_WIDTHS = [390, 1440];
/** The checks scroll. */
const SCROLL_BACK = 'for (const one of document.querySelectorAll("*")) one.scrollTo(0, 0)';
const SCHEMES = ["light", "dark"] as const;

const PAGES: readonly string[] = [
  "/",
  "/people",
  "/people/ada@looks.example",
  "/people/looks@example.com",
  "/people/ada@example.com",
  "/sent",
  "/sent/:send",
  "/webhooks",
  "/webhooks/:webhook",
  "/webhooks/:bought",
  "/deliveries",
  "/deliveries/waiting",
  "/deliveries/all",
  "/alerts",
  "/sources/rules?source=clerk",
  "/sources/rules/clerk/signed%20up",
  "/sources",
  "/sources/stripe",
  "/sources/clerk",
  "/webhooks/replays/new",
  "/deliveries/throughput",
  "/campaigns",
  "/campaigns/:draft",
  "/campaigns/:sent",
  "/workflows/new",
  "/workflows/:step",
  "/workflows/:tried",
  "/workflows/:played",
  "/workflows",
  "/workflows/:flow",
  "/workflows/:flow?view=list",
  "/workflows/:opened",
  "/workflows/:explained",
  "/messages/:message",
  "/messages/:published",
  "/messages/:message?view=inbox",
  "/messages/:message?view=source",
  "/transactional",
  "/transactional/tpl_welcome",
  "/transactional/:edited",
  "/templates",
  "/templates/brand",
  "/templates/brand/:theme",
  "/templates/components",
  "/templates/components/:component",
  "/templates/pictures",
  "/workflows/events",
  "/workflows/events/:event",
  "/people/lists",
  "/people/properties",
  "/people/suppressed",
  "/people/imports",
  "/people/imports/new",
  "/people/imports/:ready",
  "/people/imports/:imported",
  "/segments",
  "/segments/new",
  "/segments/:segment",
  "/settings",
  "/settings/members",
  "/settings/audit",
  "/settings/keys",
  "/settings/confirmations",
  "/nowhere",
  "/settings/domains",
  "/settings/domains/:domain",
  "/settings/webhooks",
  "/settings/webhooks/:endpoint",
];

describe("the table of pages", () => {
  it("has every page of the router", () => {
    expect(routesWithoutRow(PAGES)).toEqual([]);
  });
});

const ALL_PAGES_MS = 400_000;

/** `/workflows/:flow?view=list` is `workflows-flow-view-list`. */
const pictureOf = (row: string, width: number, scheme: string): string =>
  join(PICTURES as string, `${row.replace(/\W+/g, "-").replace(/^-|-$/g, "") || "overview"}-${width}-${scheme}.png`);

const pathOf = (row: string): string => row.replace(/:(\w+)/, (_, name: string) => ids[name] ?? "");

describe("a page of a person who may not do everything", () => {
  it.each(["viewer", "support"])(
    "asks for nothing that the role does not allow, and has no part that could not be read: %s",
    async (role) => {
      const link = await inviteOn(
        await enter({ path: "/settings/members", named: true, alone: true }),
        `A ${role}`,
        role,
      );
      const page = await open({ named: true, prepare: withDevice });
      await acceptOn(page, link);
      const wrong: (string | undefined)[][] = [];
      for (const row of sampled(PAGES.filter((one) => one !== "/nowhere"))) {
        const { fault } = await visit(page, new URL(link).origin, pathOf(row));
        if (fault !== undefined) wrong.push([row, fault]);
      }
      expect(wrong).toEqual([]);
    },
    ALL_PAGES_MS,
  );
});

describe("the looks of a page", () => {
  it.each(sampled(PAGES))(
    "have no violation that axe-core finds, no control that is covered and no text that is cut, at each width, light and dark: %s",
    async (path) => {
      const page = await enter({ path: pathOf(path) });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await settled(page);
      const wrong: string[] = [];
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        for (const scheme of SCHEMES) {
          await useScheme(page, scheme);
          if (PICTURES && PICTURE_WIDTHS.includes(width)) {
            await page.evaluate(SCROLL_BACK);
            await page.screenshot({ path: pictureOf(path, width, scheme), animations: "disabled" });
          }
          const { found, controls, texts } = await looksOf(page);
          expect(controls).toBeGreaterThan(2);
          expect(texts).toBeGreaterThan(2);
          const violations = AXE_WIDTHS.includes(width) ? await violationsOf(page) : [];
          wrong.push(...[...found, ...violations].map((one) => `${width} px, ${scheme}: ${one}`));
        }
        if (!(await fits(page))) wrong.push(`${width} px: wider than the window`);
      }
      expect(wrong).toEqual([]);
    },
  );

  it("are seen by the test: a covered button, and a text that is cut with and without its title", async () => {
    const page = await enter({ path: "/nowhere" });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.evaluate(`document.querySelector("main").insertAdjacentHTML("beforeend", [
      '<div id="below"><button>Below</button></div>',
      '<p class="short">A text that is too long for its line</p>',
      '<p class="short" title="whole">Another text that is too long for its line</p>',
    ].join(""));
    const above = document.createElement("div");
    Object.assign(above.style, { position: "absolute", inset: "0" });
    Object.assign(document.getElementById("below").style, { position: "relative", height: "40px" });
    document.getElementById("below").append(above);
    for (const part of document.querySelectorAll(".short"))
      Object.assign(part.style, { width: "60px", overflow: "hidden", whiteSpace: "nowrap" });`);
    const { found } = await looksOf(page);
    expect(found).toEqual([expect.stringContaining("covered: Below"), "cut: A text that is too long for its line"]);
  });
});
