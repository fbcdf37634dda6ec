import type { Page } from "playwright-core";
import { beforeAll, it } from "vitest";
import { newLoginCode } from "../../../../scripts/start/dashboard.ts";
import { sendSamples } from "../../../../scripts/start/samples.ts";
import { secrets } from "../../../system/mailspan.ts";
import { dashboardBench } from "../bench.ts";
import { addAudience, addCampaign, asOperator, signUpInVain } from "../data.ts";
import { addPerson, withDevice } from "../passkeys.ts";
import { isAt, openPalette, press, type Step, see, skip, use, useBackwards, watchFocus, write } from "./steps.ts";

const code = newLoginCode();
const { open, enter, mailspan } = dashboardBench({}, {}, undefined, { LOGIN_CODE: code });

let webhook = "";
let ready = "";
let draft = "";
let invite = "";
beforeAll(async () => {
  await sendSamples(mailspan(), secrets);
  webhook = (await mailspan().webhooks()).find(({ type }) => type === "user.created")?.id ?? "";
});

const refused =
  (...names: string[]) =>
  () =>
    signUpInVain(mailspan(), names);

const addDraft = async (): Promise<string> => {
  const v1 = `${mailspan().emailUrl}/admin/teams/demo/v1`;
  const made = await asOperator<Made>(`${v1}/transactional-emails`, "POST", { name: "By keys" });
  await asOperator(`${v1}/email-messages/${made.draftEmailMessageId}`, "POST", {
    subject: "Shipped",
    fromName: "Acme",
    fromEmail: "orders",
    lmx: "<Paragraph>It is on its way.</Paragraph>",
  });
  return made.draftEmailMessageId;
};
type Made = { draftEmailMessageId: string };

const found =
  (text: string): Step =>
  (page: Page) =>
    page.locator("[data-action][data-selected]").filter({ hasText: text }).waitFor();

const chooseFile =
  (name: string, text: string): Step =>
  async (page) => {
    const chooser = page.waitForEvent("filechooser");
    await use(/^CSV file/, "Enter", "It is read in this tab")(page);
    await (await chooser).setFiles({ name, mimeType: "text/csv", buffer: Buffer.from(text) });
  };

type Journey = {
  path: string | (() => string);
  isNew?: true;
  named?: true;
  prepare?: () => Promise<unknown>;
  steps: readonly Step[];
};

const JOURNEYS: Readonly<Record<string, Journey>> = {
  "the first run": {
    path: `/#code=${code}`,
    isNew: true,
    steps: [see("checkout.session.completed"), skip, use("checkout.session.completed", "Enter", "What it did")],
  },
  "the login": {
    path: "/deliveries/throughput",
    isNew: true,
    steps: [write("Admin token", secrets.ADMIN_TOKEN), press("Enter", "In flight")],
  },
  "from an address to a person and a mail": {
    path: "/",
    steps: [
      see("checkout.session.completed"),
      openPalette,
      write("Search people, mail, webhooks, pages", "ada@"),
      found("ada@example.com"),
      press("Enter", "The last mail to"),
      use("Show the mail", "Enter", "Why it was sent"),
    ],
  },
  "a delivery that the email service refused": {
    path: "/",
    prepare: refused("one"),
    steps: [
      see("Retry 1"),
      skip,
      use("Show how to fix", "Enter", "How to fix it"),
      use("Retry 1", "Enter", "Mailspan tries 1 delivery once more."),
      useBackwards("Retry 1 delivery", "Enter", "1 of 1 sent"),
      use("Done", "Enter", "No failed deliveries"),
    ],
  },
  "many deliveries with one cause": {
    path: "/deliveries",
    prepare: refused("two", "three", "four"),
    steps: [
      see("3 deliveries failed"),
      skip,
      use("Retry 3", "Enter", "Mailspan tries 3 deliveries once more."),
      useBackwards("Retry 3 deliveries", "Enter", "3 of 3 retried"),
      use("Done", "Enter", "No failed deliveries"),
    ],
  },
  "a replay": {
    path: () => `/webhooks/${webhook}`,
    steps: [
      see("What it did"),
      skip,
      use("Replay", "Enter", "1 delivery would be made"),
      use("Mails", "Space", "sent already"),
      use("Replay", "Enter", "Replayed: 1 delivery made."),
    ],
  },
  "a try of a rule": {
    path: "/sources/rules?source=clerk",
    steps: [
      see("signed up"),
      skip,
      use("More actions", "Enter", "curl"),
      isAt("curl"),
      press("ArrowDown Enter", "The program is copied."),
      isAt("More actions"),
      use("signed up", "Enter", "Latest deliveries"),
      write("Or a stored webhook", () => webhook),
      press("Enter", "matched"),
    ],
  },
  "a source without its secret": {
    path: "/sources",
    steps: [
      see("auth0"),
      skip,
      use("auth0", "Enter", "npx wrangler secret put AUTH0_WEBHOOK_SECRET"),
      use(/^Copy: npx wrangler/, "Enter", "Copied"),
    ],
  },
  "a pause of all deliveries": {
    path: "/",
    steps: [
      see("user.created"),
      press("g d", "No failed deliveries"),
      skip,
      use("Throughput", "Enter", "In flight"),
      use("Pause delivery", "Enter", "nothing is lost"),
      press("Escape", "In flight"),
      isAt("Pause delivery"),
      press("Enter", "nothing is lost"),
      use("Pause", "Enter", "A person paused delivery"),
      see("Delivery is paused."),
      use("Resume delivery", "Enter", "No delivery waits."),
      use("Resume", "Enter", "Delivery is resumed."),
    ],
  },
  "a new contact": {
    path: "/people",
    steps: [
      see("Add a person"),
      skip,
      use("Add a person", "Enter", "First name"),
      write("Address", "grace@keyboard.example"),
      write("First name", "Grace"),
      use("Add", "Enter", "No mail was sent"),
      use("Edit", "Enter", "An empty field clears its property."),
      write("Last name", "Hopper"),
      press("Enter", "One property is saved."),
    ],
  },
  "a segment, from the first condition to its contacts": {
    path: "/segments",
    steps: [
      see("No segment yet"),
      skip,
      use("New segment", "Enter", "Contacts that meet"),
      write("Name", "By keys"),
      use("Condition 1: compares", "Enter", "must not contain"),
      press("ArrowDown Enter", "Give a value."),
      useBackwards("Condition 1: about", "ArrowDown", "Answer to the confirmation mail"),
      press("Escape", "Add a condition"),
      write("Condition 1: value", "nowhere"),
      see(/^\d+ of \d+ contacts$/),
      use("Create", "Enter", "By keys is created."),
      see("Nothing is changed."),
    ],
  },
  "a campaign, from its audience to sending that is undone": {
    path: "/campaigns",
    prepare: async () => {
      await mailspan().client.updateContact({ email: "keys@keyboard.example" });
      await addCampaign(mailspan(), "By keys");
    },
    steps: [
      see("By keys"),
      skip,
      use("By keys", "Enter", "Ready to send."),
      use("Add conditions of its own", "Enter", "Who gets it is counted when each condition is whole."),
      write("Condition 1: value", "keys@keyboard"),
      see("1 contact would get it"),
      press("ControlOrMeta+s", "The campaign is saved."),
      useBackwards("Send", "Enter", "It begins in 30 seconds."),
      write('Type "1" to confirm', "1"),
      press("Enter", /^Begins in \d+ s$/),
      use("Undo", "Enter", "By keys is a draft again. Nothing was sent."),
      use("Delete", "Enter", "Its message goes with it."),
      write('Type "delete" to confirm', "delete"),
      press("Enter", "No campaigns yet"),
    ],
  },
  "an import, from its file to what came out": {
    path: "/people/imports",
    steps: [
      see("No import yet"),
      skip,
      use("New import", "Enter", "It is read in this tab"),
      chooseFile("people.csv", "email,Seats\nkeys1@import.example,1\nkeys2@import.example,2\n"),
      see("2 rows, 2 columns"),
      see("Of the first 2 rows: 2 created"),
      use("Import 2 rows", "Enter", "No workflow starts."),
      use("Import", "Enter", "Refused"),
    ],
  },
  "an import whose file is there": {
    path: () => `/people/imports/${ready}`,
    prepare: async () => {
      ({ ready } = await addAudience(mailspan()));
    },
    steps: [
      see("What the columns become"),
      skip,
      use("Check every row", "Enter", "No contact changes."),
      use("Check", "Enter", "The check of every row"),
      see("This is what an import would do."),
      useBackwards("Cancel the import", "Enter", "No contact was changed."),
      use("Cancel the import", "Enter", "is cancelled."),
    ],
  },
  "a message, from its text to what is sent from now on": {
    path: () => `/messages/${draft}`,
    prepare: async () => {
      draft = await addDraft();
    },
    steps: [
      see("Guardian"),
      skip,
      use("Send a preview", "Enter", "Cancel"),
      write("To", "keys@keyboard.example"),
      press("Enter", "The preview is on its way"),
      isAt("Send a preview"),
      write("Subject", "By keys "),
      write("LMX of the message", ""),
      press("ArrowRight ".repeat("<Paragraph>".length).trim(), "Guardian"),
      write("LMX of the message", "By keys. "),
      press("Escape", "Not saved"),
      press("ControlOrMeta+s", "The message is saved."),
      useBackwards("Publish", "Enter", "Publish this message?"),
      use("Publish", "Enter", "By keys is published."),
    ],
  },
  "a new transactional email": {
    path: "/transactional",
    steps: [
      see("Magic link"),
      skip,
      use("New transactional email", "Enter", "Its recipients do not see it"),
      write("Name", "Order shipped"),
      press("Enter", "Nothing is published yet"),
      use("Publish", "Enter", "It cannot be published yet."),
      press("Escape", "Nothing is published yet"),
      isAt("Publish"),
    ],
  },
  "an invitation": {
    path: "/settings/members",
    steps: [
      see("Nobody is invited yet"),
      skip,
      use("Invite a person", "Enter", "It is in the audit"),
      write("Name", "Grace"),
      use("viewer", "ArrowDown", "acts on single people"),
      use("Invite", "Enter", "It is good once"),
      use(/^Copy the link/, "Enter", "Copied"),
      use("I have it", "Enter", "a link that ends"),
    ],
  },
  "the way in with a passkey, and the login with it": {
    path: () => `/#invite=${invite}`,
    isNew: true,
    named: true,
    prepare: async () => {
      invite = await addPerson(await enter({ path: "/theme.js", alone: true }), "Ada", "support");
    },
    steps: [
      see("has invited you as"),
      use("Make a passkey", "Enter", "A lost device would lock you out"),
      skip,
      use("Make recovery codes", "Enter", "Ten codes"),
      use("Make ten codes", "Enter", "they are not shown again"),
      use("I have them", "Enter", "10 of 10 recovery codes are left."),
      useBackwards("Account, colors and log out", "Enter", "Keys"),
      press("ArrowUp Enter", "Admin token"),
      use("Use a passkey", "Enter", "10 of 10 recovery codes are left."),
    ],
  },
  "a new API key": {
    path: "/settings/keys",
    steps: [
      see("bridge"),
      skip,
      use("New key", "Enter", "Where it is used"),
      write("Name", "production"),
      press("Enter", "it is not shown again"),
      use(/^Copy the key/, "Enter", "Copied"),
      use("I have it", "Enter", "production"),
    ],
  },
};

it.each(Object.keys(JOURNEYS))("%s goes by the keyboard alone, and the focus is always seen", async (name) => {
  const { path, isNew, named, prepare, steps } = JOURNEYS[name] as Journey;
  await prepare?.();
  const page = await (isNew ? open : enter)({
    path: typeof path === "string" ? path : path(),
    ...(named ? { named, prepare: withDevice } : {}),
  });
  await watchFocus(page);
  for (const step of steps) await step(page);
});
