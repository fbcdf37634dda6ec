import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sampled } from "../../sample.ts";
import { until } from "../../system/mailspan.ts";
import { dashboardBench } from "./bench.ts";
import { failing, faultsOf, MESSAGE, unreachable } from "./faults.ts";
import { routes, routesWithoutRow } from "./routes.ts";

const { enter } = dashboardBench();

const PAGES: Readonly<Record<string, string>> = {
  "/": "No webhooks yet",
  "/people": "No people yet",
  "/people/none@example.com": "There is no contact of this person",
  "/sent": "No mail sent yet",
  "/sent/snd_none": 'There is no send with the id "snd_none"',
  "/campaigns": "No campaigns yet",
  "/campaigns/cmp_none": 'There is no campaign with the id "cmp_none"',
  "/workflows": "No workflows yet",
  "/workflows/new": "When a trial starts",
  "/workflows/wfl_none": 'There is no workflow with the id "wfl_none"',
  "/messages/msg_none": 'There is no email message with the id "msg_none"',
  "/transactional": "Welcome",
  "/transactional/tpl_none": 'There is no transactional email with the id "tpl_none"',
  "/templates": "Welcome",
  "/templates/brand": "default",
  "/templates/brand/thm_none": 'There is no theme with the id "thm_none"',
  "/templates/components": "No components yet",
  "/templates/components/cmp_none": 'There is no component with the id "cmp_none"',
  "/templates/pictures": "No picture yet",
  "/workflows/events": "No event yet",
  "/workflows/events/evp_none": "There is no event pattern with this eventPatternId",
  "/webhooks": "No webhooks yet",
  "/webhooks/wh_none": "There is no webhook",
  "/alerts": "No alerts yet",
  "/deliveries": "No failed deliveries",
  "/deliveries/waiting": "Nothing waits",
  "/deliveries/all": "No deliveries yet",
  "/sources/rules?source=clerk": "signed up",
  "/sources/rules/clerk/signed%20up": "None among the newest webhooks.",
  "/sources": "stripe",
  "/sources/stripe": "never in the last 30 days",
  "/webhooks/replays/new": "Deliveries to make",
  "/deliveries/throughput": "In flight",
  "/people/lists": "No mailing list yet",
  "/people/properties": "firstName",
  "/people/suppressed": "No address is suppressed",
  "/people/imports": "No import yet",
  "/people/imports/new": "It is read in this tab",
  "/people/imports/imp_none": 'There is no import "imp_none"',
  "/segments": "No segment yet",
  "/segments/new": "Contacts that meet",
  "/segments/seg_none": "There is no audience segment",
  "/settings/members": "Nobody is invited yet",
  "/settings/audit": "dashboard.session.create",
  "/settings/keys": "Last used",
  "/settings": "Nothing is changed.",
  "/settings/confirmations": "Nobody has still to confirm",
  "/settings/domains": "No sending domain yet",
  "/settings/domains/dom_none": "dom_none",
  "/settings/webhooks": "No outgoing webhooks yet",
  "/settings/webhooks/whk_none": "whk_none",
};
const UNMATCHED: Readonly<Record<string, string>> = {
  "/people/%20": "has no email address, user id or provider's id in it",
  "/people?q=nobody": "No person matches “nobody”",
  "/sent?to=none@example.com": "No mail matches these filters",
  "/campaigns?status=Sent": "No campaign matches these filters",
  "/transactional?status=draft": "No transactional email matches these filters",
  "/webhooks?source=none": "No webhook matches these filters",
  "/deliveries/all?rule=none": "No delivery matches these filters",
  "/sources/rules?source=none": "No rule of none",
  "/sources/rules/clerk/none": "clerk has no rule with this name.",
  "/sources/none": "There is no source none",
  "/people/suppressed?reason=complaint": "No suppression matches these filters",
  "/settings/audit?who=nobody": "No change matches these filters",
  "/nowhere": "This page does not exist",
};
const ASKS_LATER = "/webhooks/replays/new";

const alertIn = async (page: Page, text: string | RegExp, path: string): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  if (path === ASKS_LATER) await page.getByRole("button", { name: "Preview" }).click();
  const alert = page.getByRole("alert").filter({ hasText: text }).first();
  await until(`${path} says that it failed`, async () => {
    await page.clock.runFor(1_500);
    return (await alert.isVisible()) ? true : undefined;
  });
};

describe("the table of pages", () => {
  it("has every page of the router, and so of the navigation", () => {
    expect(routes.length).toBeGreaterThan(15);
    expect(routesWithoutRow(Object.keys(PAGES))).toEqual([]);
  });

  it("would lack a page that has no row", () => {
    const without = (route: string) => Object.keys(PAGES).filter((path) => path !== route);
    expect(routesWithoutRow(without("/segments/new"))).toEqual(["/segments/new"]);
    expect(routesWithoutRow(without("/segments/new"), { "/segments/new": "It is tried elsewhere." })).toEqual([]);
    expect(routesWithoutRow(without("/segments/new"), { "/segments/new": " " })).toEqual(["/segments/new"]);
    expect(routesWithoutRow(Object.keys(PAGES), { "/people/lists": "It is tried elsewhere." })).toEqual([
      "/people/lists is an exception, and needs none",
    ]);
  });
});

describe("every page", () => {
  it.each(sampled([...Object.entries(PAGES), ...Object.entries(UNMATCHED)]))(
    "says that there is nothing, or nothing that matches, without a violation: %s",
    async (path, text) => {
      const page = await enter({ path });
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.getByText(text).first().waitFor();
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  it.each(sampled(Object.keys(PAGES)))(
    "says in the server's words what failed, with a way to try again: %s",
    async (path) => {
      const page = await enter({ path, mayFail: true, clock: true, prepare: failing });
      await alertIn(page, MESSAGE, path);
      if (path !== ASKS_LATER) await page.getByRole("button", { name: "Try now" }).first().waitFor();
      expect(await faultsOf(page)).toEqual([]);
    },
  );

  it.each(["/", "/people", "/webhooks", "/sent", "/deliveries/throughput"])(
    "says that a half gives no answer: %s",
    async (path) => {
      const page = await enter({ path, mayFail: true, clock: true, prepare: unreachable });
      await alertIn(page, /./, path);
      expect(await faultsOf(page)).toEqual([]);
    },
  );
});
