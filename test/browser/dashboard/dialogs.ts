import type { Page } from "playwright-core";
import { SETTINGS } from "./settings-dialogs.ts";

export type Ids = Record<
  | ("webhook" | "send" | "draft" | "scheduled" | "sending" | "segment" | "ready" | "message")
  | ("edited" | "theme" | "component" | "picture" | "event" | "unusedTheme" | "unusedComponent")
  | ("domain" | "endpoint" | "flow" | "running" | "waiting" | "paused" | "step"),
  string
>;

/**
 * A dialog. `fields`: typed texts that stay after a refusal. `word`: typed before the act. `choose`: an option of a
 * select. `isInMore`: its opener is in the menu of more actions.
 */
export type Dialog = {
  opener: string | RegExp;
  isInMore?: true;
  title: string | RegExp;
  fields?: Record<string, string>;
  word?: string;
  choose?: readonly [label: string, option: string];
  act: string | RegExp;
};
export type Row = {
  path: (ids: Ids) => string;
  prepare?: (page: Page) => Promise<unknown>;
  dialogs: readonly Dialog[];
};

const at = (path: string) => () => path;

const canRetry = async (page: Page): Promise<void> => {
  await page.route("**/api/email/teams/*/sends/snd_*", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), canRetry: true } });
  });
  await page.reload();
};

const hasWave = async (page: Page): Promise<void> => {
  const wave = {
    id: "wav_5",
    destination: "gd.example",
    cause: "550 5.1.1 user unknown",
    meaning: "gd.example said of 80 addresses in the same words that they do not exist.",
    since: "2026-01-31T12:00:00.000Z",
    mails: 80,
    campaigns: [{ id: "cmp_1", name: "News" }],
    decision: null,
    decisionAt: null,
    changed: 0,
    leftOut: {},
    done: true,
  };
  const body = { json: { data: [wave], next: null } };
  await page.route("**/api/email/teams/*/waves?*", (route) => route.fulfill(body));
  await page.reload();
};

const notMeasured = async (page: Page): Promise<void> => {
  await page.route(/\/api\/email\/teams\/[^/]+\/contacts\/[^/?]+$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...((await response.json()) as object), tracked: false } });
  });
  await page.reload();
};

/** The page shows all deliveries as paused, but other tests need their deliveries. */
const allPaused = async (page: Page): Promise<void> => {
  await page.route("**/api/bridge/status", async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as { paused: object };
    const paused = { ...status.paused, all: new Date().toISOString() };
    await route.fulfill({ response, json: { ...status, paused } });
  });
  await page.reload();
};

const stateIs =
  (progress: object, unconfirmed: object | null = null) =>
  async (page: Page): Promise<void> => {
    await page.route("**/api/email/teams/*/campaigns/*/status", async (route) => {
      const response = await route.fetch();
      const status = (await response.json()) as { progress: object };
      const told = { ...status, status: "Sending", progress: { ...status.progress, ...progress }, unconfirmed };
      await route.fulfill({ response, json: told });
    });
    await page.reload();
  };

const importIs =
  (change: object) =>
  async (page: Page): Promise<void> => {
    await page.route("**/api/email/teams/*/imports/imp_*", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), ...change } });
    });
    await page.reload();
  };

/** Dialogs of the pages with data, by a text of the page. */
export const ROWS: Readonly<Record<string, Row>> = {
  lists: {
    path: at("/people/lists"),
    dialogs: [
      { opener: "New list", title: "New list", fields: { Name: "Offers" }, act: "Save" },
      { opener: "Edit News", title: "News", fields: { Name: "Our news", Description: "Monthly" }, act: "Save" },
      { opener: "Archive News", title: "Archive News?", act: "Archive" },
      { opener: "Use Old news again", title: "Use Old news again?", act: "Use again" },
    ],
  },
  "a workflow that is a draft": {
    path: ({ flow }) => `/workflows/${flow}`,
    dialogs: [
      { opener: "Start", title: "Start Trial?", act: "Start" },
      {
        opener: "Name and group",
        isInMore: true,
        title: "Name and group of the workflow",
        act: "Save",
        fields: { Name: "First week" },
      },
      {
        opener: "Change the list",
        isInMore: true,
        title: "Change the mailing list",
        act: "Change",
        choose: ["Mailing list", "News"],
      },
      { opener: "Delete", isInMore: true, title: "Delete the workflow Trial?", word: "delete", act: "Delete" },
    ],
  },
  "a workflow that is sending": {
    path: ({ running, waiting }) => `/workflows/${running}?node=${waiting}&tab=here`,
    dialogs: [
      { opener: "Pause", title: "Pause Running?", act: "Pause" },
      { opener: "Stop", isInMore: true, title: "Stop Running?", act: "Stop" },
      { opener: "Take out of the workflow", title: "Take eve@flow.example out of Running?", act: "Take out" },
    ],
  },
  "a workflow that is paused": {
    path: ({ paused }) => `/workflows/${paused}`,
    dialogs: [{ opener: "Resume", title: "Resume Paused?", act: "Resume" }],
  },
  "a step of a workflow that is a draft": {
    path: ({ flow, step }) => `/workflows/${flow}?node=${step}`,
    dialogs: [
      { opener: "Delete this step", title: /^Delete “.*”\?$/, act: "Delete" },
      { opener: "Delete with what is below", title: /^Delete \d steps\?$/, act: "Delete" },
    ],
  },
  ...SETTINGS,
  settings: {
    path: at("/settings"),
    dialogs: [{ opener: "Log out everywhere", title: "Log out everywhere?", act: "Log out" }],
  },
  properties: {
    path: at("/people/properties"),
    dialogs: [
      { opener: "New property", title: "New property", fields: { Name: "planName" }, act: "Create" },
      { opener: "Describe oldPlan", title: "oldPlan", fields: { Label: "Former plan" }, act: "Save" },
      { opener: "Delete oldPlan", title: "Delete the property oldPlan?", word: "delete", act: "Delete" },
    ],
  },
  suppressions: {
    path: at("/people/suppressed"),
    dialogs: [
      {
        opener: "Suppress an address",
        title: "Suppress an address",
        act: "Suppress",
        fields: { Address: "ada@example.com" },
      },
      {
        opener: "Remove gone@dialogs.example from suppression",
        act: "Remove",
        title: "Remove gone@dialogs.example from suppression?",
      },
    ],
  },
  "suppressions with a filter": {
    path: at("/people/suppressed?reason=manual"),
    dialogs: [
      {
        opener: "Remove all of this list",
        title: "Remove all suppressions of this list?",
        word: "1",
        act: "Remove",
      },
    ],
  },
  "a wave that waits for a decision": {
    path: at("/people/suppressed"),
    prepare: hasWave,
    dialogs: [
      {
        opener: "They are good: send again",
        title: "Send to these addresses again?",
        act: "They are good: send again",
      },
      { opener: "They do not exist: suppress", title: "Suppress these addresses?", act: "They do not exist: suppress" },
      { opener: "Neither", title: "Leave these addresses as they are?", act: "Neither" },
    ],
  },
  keys: {
    path: at("/settings/keys"),
    dialogs: [
      { opener: "New key", title: "New API key", fields: { Name: "production" }, act: "Create" },
      { opener: "Revoke bridge", title: /^Revoke the API key /, word: "revoke", act: "Revoke" },
    ],
  },
  people: {
    path: at("/people"),
    dialogs: [{ opener: "Add a person", title: "Add a person", fields: { Address: "ada@example.com" }, act: "Add" }],
  },
  "people that are selected": {
    path: at("/people?q=ada@dialogs"),
    prepare: (page) => page.getByLabel("Select ada@dialogs.example").check(),
    dialogs: [
      {
        opener: "Add to a list",
        title: "Add to a list: 1 contact",
        act: "Add 1 contact",
        choose: ["Mailing list", "News"],
      },
      {
        opener: "Remove from a list",
        title: "Remove from a list: 1 contact",
        act: "Remove 1 contact",
        choose: ["Mailing list", "Members"],
      },
      { opener: "Unsubscribe", title: "Unsubscribe: 1 contact", act: "Unsubscribe 1 contact" },
      { opener: "Suppress", title: "Suppress: 1 contact", act: "Suppress 1 contact" },
      { opener: "Delete", title: "Delete: 1 contact", word: "delete", act: "Delete 1 contact" },
    ],
  },
  "a person": {
    path: at("/people/ada@dialogs.example"),
    dialogs: [
      { opener: "Suppress", title: "Suppress ada@dialogs.example?", act: "Suppress" },
      {
        opener: "Stop measuring",
        isInMore: true,
        title: "Stop measuring opens and clicks of this contact?",
        act: "Stop measuring",
      },
      {
        opener: "Delete the contact",
        isInMore: true,
        title: "Delete the contact ada@dialogs.example?",
        act: "Delete",
        word: "delete",
      },
      { opener: "Erase the person", isInMore: true, title: "Erase ada@dialogs.example?", word: "erase", act: "Erase" },
    ],
  },
  "a person whose opens and clicks are not measured": {
    path: at("/people/ada@dialogs.example"),
    prepare: notMeasured,
    dialogs: [
      {
        opener: "Measure opens and clicks",
        isInMore: true,
        act: "Measure",
        title: "Measure opens and clicks of this contact?",
      },
    ],
  },
  "a person who is suppressed": {
    path: at("/people/gone@dialogs.example"),
    dialogs: [{ opener: "Remove from suppression", title: /^Remove gone/, act: "Remove" }],
  },
  "a mail": {
    path: ({ send }) => `/sent/${send}`,
    prepare: canRetry,
    dialogs: [{ opener: "Send again", title: "Send this mail again?", word: "send again", act: "Send again" }],
  },
  "a message": {
    path: ({ message }) => `/messages/${message}`,
    dialogs: [
      { opener: "Send a preview", title: "Send a preview", fields: { To: "you@example.com" }, act: "Send" },
      { opener: "Publish", title: "Publish this message?", act: "Publish" },
    ],
  },
  "transactional emails": {
    path: at("/transactional"),
    dialogs: [
      {
        opener: "New transactional email",
        title: "New transactional email",
        act: "Create",
        fields: { Name: "Order shipped" },
      },
    ],
  },
  "a transactional email": {
    path: at("/transactional/tpl_welcome"),
    dialogs: [
      { opener: "Create a draft", title: "Create a draft of Welcome?", act: "Create" },
      { opener: "Name and group", title: "Name and group of Welcome", fields: { Name: "Hello" }, act: "Save" },
      { opener: "Keep content", title: "Keep the content of its mails", fields: { Days: "3" }, act: "Save" },
    ],
  },
  "a transactional email with a draft": {
    path: ({ edited }) => `/transactional/${edited}`,
    dialogs: [{ opener: "Publish", title: /^Publish the draft of /, act: "Publish" }],
  },
  themes: {
    path: at("/templates/brand"),
    dialogs: [{ opener: "New theme", title: "New theme", fields: { Name: "Brand" }, act: "Create" }],
  },
  "a theme": {
    path: ({ theme }) => `/templates/brand/${theme}`,
    prepare: (page) => page.getByRole("textbox", { name: "Heading 1 color", exact: true }).fill("#123456"),
    dialogs: [{ opener: "Save", title: "Save Brand?", act: "Save" }],
  },
  components: {
    path: at("/templates/components"),
    dialogs: [{ opener: "New component", title: "New component", fields: { Name: "Header" }, act: "Create" }],
  },
  "a component": {
    path: ({ component }) => `/templates/components/${component}`,
    prepare: (page) => page.getByRole("textbox", { name: "Name", exact: true }).fill("Our footer"),
    dialogs: [{ opener: "Save", title: "Save Footer?", act: "Save" }],
  },
  "a theme that nothing uses": {
    path: ({ unusedTheme }) => `/templates/brand/${unusedTheme}`,
    dialogs: [{ opener: "Delete", title: "Delete the theme Unused?", word: "delete", act: "Delete" }],
  },
  "a component that nothing uses": {
    path: ({ unusedComponent }) => `/templates/components/${unusedComponent}`,
    dialogs: [{ opener: "Delete", title: "Delete the component Unused?", word: "delete", act: "Delete" }],
  },
  uploads: {
    path: at("/templates/pictures"),
    dialogs: [{ opener: /^Delete upl_/, title: "Delete this picture?", word: "delete", act: "Delete" }],
  },
  "an event": {
    path: ({ event }) => `/workflows/events/${event}`,
    dialogs: [
      {
        opener: "Send a test event",
        title: "Send a test event: paid",
        act: "Send",
        fields: { "Address of the contact": "ada@example.com", amount: "7" },
      },
    ],
  },
  "a draft of a campaign": {
    path: ({ draft }) => `/campaigns/${draft}`,
    dialogs: [
      { opener: "Send", title: "Send Spring sale?", word: "1", act: "Send" },
      { opener: "Duplicate", title: "Duplicate Spring sale?", act: "Duplicate" },
      { opener: "Delete", title: "Delete the campaign Spring sale?", word: "delete", act: "Delete" },
    ],
  },
  campaigns: {
    path: at("/campaigns"),
    dialogs: [{ opener: "New campaign", title: "New campaign", fields: { Name: "Summer sale" }, act: "Create" }],
  },
  "a campaign that is scheduled": {
    path: ({ scheduled }) => `/campaigns/${scheduled}`,
    dialogs: [
      { opener: "Stop the schedule", title: "Stop the schedule of Summer sale?", act: "Stop the schedule" },
      {
        opener: "Cancel the campaign",
        title: "Cancel Summer sale for good?",
        word: "cancel",
        act: "Cancel the campaign",
      },
    ],
  },
  "a campaign that is sending": {
    path: ({ sending }) => `/campaigns/${sending}`,
    prepare: stateIs({ state: "sending", unknown: 3 }),
    dialogs: [
      { opener: "Pause", title: "Pause Winter sale?", act: "Pause" },
      {
        opener: "Send unknown mails again",
        title: /^Send the mails of Winter sale again/,
        word: "3",
        act: "Send again",
      },
    ],
  },
  "a campaign that has more recipients than were confirmed": {
    path: ({ sending }) => `/campaigns/${sending}`,
    prepare: stateIs({ state: "held", reason: "more_recipients" }, { recipients: 1320, confirmed: 20 }),
    dialogs: [{ opener: "Resume", title: "Resume Winter sale?", word: "1320", act: "Resume" }],
  },
  "a segment": {
    path: ({ segment }) => `/segments/${segment}`,
    dialogs: [{ opener: "Delete", title: "Delete the segment Named?", word: "delete", act: "Delete" }],
  },
  "an import whose file is there": {
    path: ({ ready }) => `/people/imports/${ready}`,
    dialogs: [
      { opener: "Import 2 rows", title: "Import people.csv?", act: "Import" },
      { opener: "Cancel the import", title: "Cancel the import of people.csv?", act: "Cancel the import" },
    ],
  },
  "an import that is running": {
    path: ({ ready }) => `/people/imports/${ready}`,
    prepare: importIs({ state: "running" }),
    dialogs: [{ opener: "Pause", title: "Pause people.csv?", act: "Pause" }],
  },
  "an import that is paused": {
    path: ({ ready }) => `/people/imports/${ready}`,
    prepare: importIs({ state: "running", paused: true }),
    dialogs: [{ opener: "Resume", title: "Resume people.csv?", act: "Resume" }],
  },
  deliveries: {
    path: at("/deliveries"),
    dialogs: [
      { opener: "Retry 2", title: "Retry 2 deliveries?", act: "Retry 2 deliveries" },
      { opener: "Discard 2", title: "Discard 2 deliveries?", act: "Discard 2 deliveries" },
      {
        opener: "Send 2 again",
        title: "Send 2 deliveries again?",
        word: "send again",
        act: "Send 2 deliveries again",
      },
    ],
  },
  "a delivery": {
    path: ({ webhook }) => `/webhooks/${webhook}`,
    dialogs: [
      { opener: "Retry", title: 'Retry the mail "welcome" for dialog-one@example.com?', act: "Retry" },
      { opener: "Discard", title: 'Discard the mail "welcome" for dialog-one@example.com?', act: "Discard" },
      {
        opener: "Send again",
        title: /^Send the .* for .*dialog-one.* again\?$/,
        word: "send again",
        act: "Send again",
      },
    ],
  },
  "a webhook": {
    path: ({ webhook }) => `/webhooks/${webhook}`,
    dialogs: [{ opener: "Replay", title: "Replay this webhook", act: "Replay" }],
  },
  health: {
    path: at("/deliveries/throughput"),
    dialogs: [
      { opener: "Pause delivery", title: "Pause delivery?", act: "Pause" },
      { opener: "Resume kinde", title: "Resume the deliveries of kinde?", act: "Resume" },
    ],
  },
  "health while all deliveries are paused": {
    path: at("/deliveries/throughput"),
    prepare: allPaused,
    dialogs: [{ opener: "Resume delivery", title: "Resume delivery?", act: "Resume" }],
  },
  "a source": {
    path: at("/sources/stripe"),
    dialogs: [{ opener: "Pause stripe", title: "Pause the deliveries of stripe?", act: "Pause" }],
  },
};
