import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { sampled } from "../../sample.ts";
import { until } from "../../system/mailspan.ts";
import { dashboardBench, violationsOf } from "./bench.ts";
import { addContent } from "./content.ts";
import { addCampaign, campaignSent, seed, sendCampaign } from "./data.ts";
import { failing, MESSAGE } from "./faults.ts";
import { addSettings, settingsVars } from "./settings-data.ts";
import { settled } from "./watch.ts";
import { actOn, addWorkflow, enterWorkflow, waitAt } from "./workflow-data.ts";

const { enter, mailspan } = dashboardBench({}, settingsVars);
let ids = {
  webhook: "",
  send: "",
  campaign: "",
  workflow: "",
  timer: "",
  edited: "",
  theme: "",
  component: "",
  event: "",
  domain: "",
  endpoint: "",
};

beforeAll(async () => {
  const seeded = await seed(mailspan(), "stale");
  ids = {
    ...seeded,
    ...(await addContent(mailspan())),
    workflow: "",
    timer: "",
    campaign: await addCampaign(mailspan(), "Spring sale"),
    ...(await addSettings(mailspan(), "mail.stale.example")),
  };
  const flow = await addWorkflow(mailspan(), "Trial");
  await actOn(mailspan(), flow.id, "start");
  await enterWorkflow(mailspan(), flow, ["ada@stale.example"]);
  await waitAt(mailspan(), flow.id, flow.timer, 1);
  Object.assign(ids, { workflow: flow.id, timer: flow.timer });
  await sendCampaign(mailspan(), ids.campaign);
  await campaignSent(mailspan(), ids.campaign);
});

type Row = {
  path: string | (() => string);
  text: string;
  open?: (page: Page) => Promise<void>;
};

const showVersions = (page: Page): Promise<void> => page.getByRole("button", { name: "Show the versions" }).click();
/** A tab may have a count behind its name. */
const tab = (name: string) => (page: Page) =>
  page.getByRole("tab", { name: new RegExp(`^${name}( [\\d,]+ in all)?$`) }).click();

const ROWS: Readonly<Record<string, Row>> = {
  "the state of the bridge": { path: "/", text: "requests a minute" },
  "the state of the email service": { path: "/", text: "workflow runs" },
  "the latest webhooks": { path: "/", text: "user.created" },
  "the list of webhooks": { path: "/webhooks", text: "user.created" },
  "a webhook": { path: () => `/webhooks/${ids.webhook}`, text: "What it did" },
  "the causes": { path: "/deliveries", text: "1 delivery failed" },
  "the deliveries of a cause": { path: "/deliveries", text: "How to fix it" },
  rules: { path: "/sources/rules", text: "signed up" },
  "a rule": { path: "/sources/rules/clerk/signed%20up", text: "on user.created" },
  "the deliveries of a rule": { path: "/sources/rules/clerk/signed%20up", text: "for stale@example.com" },
  sources: { path: "/sources", text: "stripe" },
  "a source": { path: "/sources/stripe", text: "How a webhook proves itself" },
  health: { path: "/deliveries/throughput", text: "In flight" },
  lists: { path: "/people/lists", text: "News" },
  properties: { path: "/people/properties", text: "firstName" },
  sessions: { path: "/settings", text: "(this one)" },
  "API keys": { path: "/settings/keys", text: "Revoke" },
  "the settings of a team": { path: "/settings", text: "Nothing is changed." },
  "what is in force": { path: "/settings", text: "The team has no send limit." },
  "sending domains": { path: "/settings/domains", text: "mail.stale.example" },
  "a sending domain": { path: () => `/settings/domains/${ids.domain}`, text: "_domainkey.mail.stale.example" },
  "outgoing webhooks": { path: "/settings/webhooks", text: "contact.unsubscribed" },
  "an outgoing webhook": { path: () => `/settings/webhooks/${ids.endpoint}`, text: "contact.unsubscribed" },
  "the notifications of an outgoing webhook": {
    path: () => `/settings/webhooks/${ids.endpoint}`,
    text: "testing.testEvent",
  },
  "the usage of a team": { path: "/settings", text: "Accepted mails" },
  "a mail": { path: () => `/sent/${ids.send}`, text: "Why it was sent" },
  "a campaign": { path: () => `/campaigns/${ids.campaign}`, text: "Spring sale" },
  "what a campaign sends": { path: () => `/campaigns/${ids.campaign}`, text: "Spring is here" },
  "the results of a campaign": { path: () => `/campaigns/${ids.campaign}`, text: "Unsubscribed" },
  "the recipients of a campaign": { path: () => `/campaigns/${ids.campaign}`, text: "ada@stale.example" },
  "the workflows": { path: "/workflows", text: "Trial" },
  "a workflow": { path: () => `/workflows/${ids.workflow}`, text: "1 entered, 1 is in it now" },
  "who waits at a node": {
    path: () => `/workflows/${ids.workflow}?node=${ids.timer}&tab=here`,
    text: "1 person waits here.",
  },
  "a person in a workflow": {
    path: () => `/workflows/${ids.workflow}?person=ada@stale.example`,
    text: "Entered the workflow.",
  },
  "the versions of a workflow": {
    path: () => `/workflows/${ids.workflow}`,
    open: showVersions,
    text: "is added after the filter",
  },
  "the transactional emails": { path: "/transactional", text: "Magic link" },
  "a transactional email": { path: () => `/transactional/${ids.edited}`, text: "How to send it" },
  "the statistics of a transactional email": {
    path: () => `/transactional/${ids.edited}`,
    text: "Delivered, as far as is known",
  },
  "the difference of draft and published": {
    path: () => `/transactional/${ids.edited}`,
    text: "Publishing would change this",
  },
  "the latest mails of a transactional email": {
    path: "/transactional/tpl_welcome",
    text: "In the local inbox only",
  },
  templates: { path: "/templates", text: "Magic link" },
  themes: { path: "/templates/brand", text: "Calm" },
  "a theme": { path: () => `/templates/brand/${ids.theme}`, text: "Nothing is changed." },
  "the messages that use a theme": { path: () => `/templates/brand/${ids.theme}`, text: "Used by 1 message." },
  components: { path: "/templates/components", text: "Footer" },
  "a component": { path: () => `/templates/components/${ids.component}`, text: "Nothing is changed." },
  uploads: { path: "/templates/pictures", text: "png" },
  events: { path: "/workflows/events", text: "paid" },
  "an event": { path: () => `/workflows/events/${ids.event}`, text: "{event.amount}" },
  "the latest events": { path: () => `/workflows/events/${ids.event}`, text: "ada@events.example" },
  "the content of a mail": { path: () => `/sent/${ids.send}`, open: tab("Headers"), text: "Message-ID" },
  "the story of a person": { path: "/people/ada@stale.example", text: "The last mail to" },
  "the properties of a person": {
    path: "/people/ada@stale.example",
    open: tab("Properties"),
    text: "An empty field clears its property.",
  },
  "the lists of a person": {
    path: "/people/ada@stale.example",
    open: tab("Lists"),
    text: "News",
  },
};

describe("what could not be read anew", () => {
  it.each(sampled(Object.keys(ROWS)))("stays, with its age, below the error: %s", async (name) => {
    const { path, text, open } = ROWS[name] as Row;
    const where = typeof path === "string" ? path : path();
    const page = await enter({ path: where, mayFail: true, clock: true });
    await page.getByRole("heading", { level: 1 }).waitFor();
    await open?.(page);
    const shown = page.getByText(text).first();
    await shown.waitFor();
    await settled(page);
    await failing(page);
    await page.clock.fastForward(70_000);
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    const said = page.getByText(/This page is \d+ \w+ old/).first();
    await until(`${name} has its age`, async () => {
      await page.clock.runFor(1_500);
      return (await said.isVisible()) ? true : undefined;
    });
    await page.getByRole("alert").filter({ hasText: MESSAGE }).first().waitFor();
    expect(await shown.isVisible()).toBe(true);
    expect(await violationsOf(page)).toEqual([]);
  });
});
