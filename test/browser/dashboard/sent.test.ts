import { type DefaultTreeAdapterTypes, parse, serialize } from "parse5";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { previewOf } from "../../../src/dashboard/app/parts/mail-frame/preview.ts";
import { startResolver } from "../../dns/stand-in.ts";
import { addVerifiedDomain } from "../../dns/verified.ts";
import { startStrictServer } from "../../mail-provider/strict.ts";
import { readMail, untracked } from "../../received.ts";
import { PUBLIC_URL, secrets, until } from "../../system/mailspan.ts";
import { dashboardBench } from "./bench.ts";
import { upload } from "./content.ts";
import { asOperator, sendCampaign } from "./data.ts";

// Compares the page of a message with the mail at a real SMTP server: byte for byte, except links and tracking.

const dns = await startResolver();
const mailProvider = await startStrictServer();
afterAll(async () => {
  mailProvider.stop();
  await dns.stop();
});
const { enter, mailspan } = dashboardBench(
  {},
  {
    TRANSACTIONAL_SENDER: "smtp",
    MARKETING_SENDER: "smtp",
    SMTP_URL: `smtp://127.0.0.1:${mailProvider.port}?tls=off`,
    DKIM_KEY_SECRET: "test-dkim-secret",
    DNS_OVER_HTTPS_URL: dns.url,
  },
);

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
const post = <T>(path: string, body: object = {}) => asOperator<T>(`${team()}/v1${path}`, "POST", body);

const LONG =
  "Lange Wörter sind in Zürich üblich = 3D, and a line of HTML may have more characters than a line of a mail. ".repeat(
    30,
  );
const DELICATE = [
  ".",
  "..two dots",
  "From the beginning",
  "--=_boundary",
  "a tab\tand a blank at the end ",
  "=3D =C3=BC",
  "日本 😀 שלום",
];
const ADA = "ada@sent.example";

const lmxWith =
  ({ theme, component, picture }: { theme: string; component: string; picture: string }) =>
  (name: string, blank: string, link: string): string =>
    `<Style themeId="${theme}" />
<H1>Grüße, ${name} &amp; „friends“</H1>
<Paragraph>${LONG}</Paragraph>
<Paragraph>Your plan is ${blank}. <Link href="https://shop.example.com/?a=1&amp;b=${link}">The shop</Link>, <Link href="https://shop.example.com/imprint" notrack="true">the imprint</Link>, <Link href="mailto:help@shop.example.com">a mail</Link></Paragraph>
<CodeBlock>
${DELICATE.join("\n")}
</CodeBlock>
<Image src="${picture}" alt="A picture" href="https://shop.example.com/picture" />
<Button href="https://shop.example.com/?a=1&amp;b=${link}">Zur Kasse</Button>
<Icons><Icon name="github" href="https://github.com" /></Icons>
<Component componentId="${component}" />
`;

let write: ReturnType<typeof lmxWith>;
beforeAll(async () => {
  await addVerifiedDomain(
    { emailUrl: mailspan().emailUrl, token: secrets.ADMIN_TOKEN, team: "demo", name: "acme.example" },
    dns,
  );
  await asOperator(team(), "POST", {
    postalAddress: "1 Main Street\n8001 Zürich",
    footer: ".You asked for it.\nBye & <welcome>",
  });
  const styles = { bodyColor: "#fffbeb", heading1FontSize: 32, buttonBodyColor: "#b45309" };
  const { id: theme } = await post<{ id: string }>("/themes", { name: "Brand", styles });
  const { id: component } = await post<{ id: string }>("/components", {
    name: "Ende",
    lmx: "<Divider /><Paragraph>© Acme, Zürich</Paragraph>",
  });
  const { finalUrl: picture } = await upload(team());
  write = lmxWith({ theme, component, picture });
  await post("/contacts/properties", { name: "plan", type: "string" });
  await post("/contacts/create", { email: ADA, firstName: "Ada <&> Lovelace", plan: " ", lastName: "x?y=&z" });
});

const shownOn = async (page: Page) => {
  const view = async (name: string, region: string): Promise<string> => {
    await page.getByRole("radiogroup", { name: "View" }).getByText(name, { exact: true }).click();
    return (await page.getByRole("region", { name: region }).textContent()) ?? "";
  };
  await page.getByRole("radiogroup", { name: "View" }).getByText("Desktop", { exact: true }).click();
  const frame = await framedOn(page);
  const html = await view("Source", "HTML of the mail");
  const text = await view("Text", "Text of the mail");
  await view("Inbox", "Line of an inbox");
  const line = page.getByRole("region", { name: "Line of an inbox" });
  const subject = await line.locator("[title]").nth(1).getAttribute("title");
  return { html, text, subject, frame };
};

const framedOn = async (page: Page): Promise<string> => {
  const read = async () => {
    // A frame that is drawn again meanwhile has no address or no answer.
    const frame = page.frames().find((one) => new URL(one.url() || "about:blank").pathname === "/preview");
    return frame?.evaluate<string>("document.documentElement.innerHTML").catch(() => undefined);
  };
  return until("the mail is drawn", async () => {
    const drawn = await read();
    await page.waitForTimeout(300);
    return drawn?.includes("</h1>") && drawn === (await read()) ? drawn : undefined;
  });
};

const drawnOf = (html: string): string => {
  const { childNodes } = parse(previewOf(html, { isDark: false, withImages: false }));
  const root = childNodes.find((one) => one.nodeName === "html");
  return root === undefined ? "" : serialize(root as DefaultTreeAdapterTypes.Element);
};

const open = async (message: string): Promise<Page> => {
  const page = await enter({ path: `/messages/${message}` });
  await page.getByRole("textbox", { name: "LMX of the message" }).waitFor();
  return page;
};

const receivedBy = async (to: string, count = 1) => {
  const mails = await until(
    `the mail to ${to}`,
    async () => {
      const found = mailProvider.seen.mails.filter((mail) => mail.to.includes(to));
      return found.length >= count ? found : undefined;
    },
    60_000,
  );
  return Promise.all(mails.map(({ data }) => readMail(data)));
};

const first = async (to: string) => {
  const [mail] = await receivedBy(to);
  if (!mail) throw new Error(`There is no mail to ${to}.`);
  return mail;
};

const ask = (url: string) => fetch(mailspan().emailUrl + url.slice(PUBLIC_URL.length), { redirect: "manual" });

const inLines = (html: string): string[] => html.split("\n");

const compareMarketing = async (page: Page, to: string): Promise<void> => {
  const shown = await shownOn(page);
  const mail = await first(to);
  const { html, text, replaced } = untracked(mail, PUBLIC_URL);
  expect(inLines(html)).toEqual(inLines(shown.html));
  expect(html).toBe(shown.html);
  expect(inLines(drawnOf(shown.frame))).toEqual(inLines(drawnOf(html)));
  expect(text).toBe(shown.text);
  expect(shown.subject).toBe(mail.subject);
  expect(replaced.pictures).toHaveLength(1);
  const [picture = ""] = replaced.pictures;
  expect((await ask(picture)).headers.get("Content-Type")).toBe("image/gif");
  expect(new Set(replaced.links.map(({ address }) => address))).toEqual(
    new Set(["https://shop.example.com/?a=1&b=x%3Fy%3D%26z", "https://shop.example.com/picture", "https://github.com"]),
  );
  for (const { tracked, address } of replaced.links) {
    const answer = await ask(tracked);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, address]);
  }
  expect(new Set(replaced.own).size).toBe(2);
  for (const url of new Set(replaced.own)) expect((await ask(url)).status).toBe(200);
  expect(`${html}${text}`).not.toMatch(/mail\.example\.com\/(t|u|p|c)\//);
  expect(html).toContain("Grüße, Ada &lt;&amp;&gt; Lovelace");
  expect(html).toContain("/assets/");
  expect(text).toContain("\n..two dots\nFrom the beginning\n--=_boundary\n");
};

describe("what the page of a message shows is what the SMTP server gets", () => {
  it("of a transactional email, in every byte", async () => {
    type Made = { id: string; draftEmailMessageId: string };
    const { id, draftEmailMessageId: message } = await post<Made>("/transactional-emails", { name: "Ordered" });
    await post(`/email-messages/${message}`, {
      subject: "Bestellung {data.number}: schöne Grüße 😀",
      fromName: "Acme",
      fromEmail: "orders",
      lmx: write("{data.name}", "{data.plan}", "{data.link}"),
      dataVariablesFallbacks: { plan: "free" },
    });
    await post(`/transactional-emails/${id}/publish`);
    const dataVariables = { name: "Ada <&> Lovelace", number: 7, plan: " ", link: "x?y=&z" };
    await post("/transactional", { transactionalId: id, email: ADA, dataVariables });
    const page = await open(message);
    for (const [name, value] of Object.entries(dataVariables))
      if (name !== "plan") await page.getByLabel(`Value of data.${name}`).fill(String(value));
    const shown = await shownOn(page);
    const mail = await first(ADA);
    expect(inLines(mail.html)).toEqual(inLines(shown.html));
    expect(mail.html).toBe(shown.html);
    expect(inLines(drawnOf(shown.frame))).toEqual(inLines(drawnOf(mail.html)));
    expect(mail.text).toBe(shown.text);
    expect(mail.subject).toBe("Bestellung 7: schöne Grüße 😀");
    expect(shown.subject).toBe(mail.subject);
    expect(mail.html).toContain("Your plan is free.");
    expect(mail.text).toContain("\n..two dots\nFrom the beginning\n--=_boundary\n");
  });

  it("of a campaign, but for tracked links, the links of the recipient and the open picture", async () => {
    const to = "ada@campaign.example";
    await post("/contacts/create", { email: to, firstName: "Ada <&> Lovelace", plan: " ", lastName: "x?y=&z" });
    const filter = { match: "all", conditions: [{ type: "property", key: "email", operator: "equals", value: to }] };
    const made = await post<{ id: string; emailMessageId: string }>("/campaigns", {
      name: "Frühling",
      audienceFilter: filter,
    });
    await post(`/email-messages/${made.emailMessageId}`, {
      subject: "Frühling für {contact.firstName}",
      fromName: "Acme",
      fromEmail: "news",
      languageCode: "de",
      lmx: `${write("{contact.firstName}", "{contact.plan}", "{contact.lastName}")}<Paragraph><Link href="{system.unsubscribe_link}">Genug</Link></Paragraph>`,
      contactPropertiesFallbacks: { plan: "free" },
    });
    const page = await open(made.emailMessageId);
    await page.getByLabel("As this person").fill(to);
    await page.keyboard.press("Enter");
    await page.getByLabel("Value of contact.firstName").and(page.locator('[placeholder^="Ada"]')).waitFor();
    const before = await shownOn(page);

    await page.keyboard.press("ControlOrMeta+Enter");
    const dialog = page.getByRole("dialog", { name: "Send a preview" });
    await dialog.getByLabel("To").fill("grace@sent.example");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    const preview = await first("grace@sent.example");
    expect(preview.html).toBe(before.html);
    expect(preview.text).toBe(before.text);

    await sendCampaign(mailspan(), made.id);
    await compareMarketing(page, to);
  });

  it("of a workflow, with the properties of its event", async () => {
    const to = "ada@workflow.example";
    await post("/contacts/create", { email: to, firstName: "Ada <&> Lovelace", lastName: "x?y=&z" });
    type Graph = { nodes: Record<string, { nextNodeIds: string[] }>; workflowRevisionId: string };
    const { id, rootNodeId: root } = await post<{ id: string; rootNodeId: string }>("/workflows", { name: "Paid" });
    const edit = async <T>(path: string, body: object) => {
      const { workflowRevisionId: expectedRevisionId } = await asOperator<Graph>(`${team()}/v1/workflows/${id}`);
      return post<T>(`/workflows/${id}${path}`, { expectedRevisionId, ...body });
    };
    await edit(`/nodes/${root}`, { payload: { typeName: "EventTrigger", eventName: "paid" } });
    const placed = { insertMode: "after", nodeTypeName: "SendEmailAction", fromNodeId: root };
    const { node } = await edit<{ node: { emailMessageId: string } }>("/nodes", placed);
    await post(`/email-messages/${node.emailMessageId}`, {
      subject: "Danke für {event.amount}",
      fromName: "Acme",
      fromEmail: "news",
      lmx: write("{contact.firstName}", "{event.plan}", "{contact.lastName}"),
      eventPropertiesFallbacks: { plan: "free" },
    });
    await asOperator(`${team()}/workflows/${id}/start`, "POST");
    await post("/events/send", { email: to, eventName: "paid", eventProperties: { amount: 12.5, plan: "" } });
    const page = await open(node.emailMessageId);
    await page.getByLabel("As this person").fill(to);
    await page.keyboard.press("Enter");
    await page.getByLabel("Value of contact.firstName").and(page.locator('[placeholder^="Ada"]')).waitFor();
    await page.getByLabel("Value of event.amount").fill("12.5");
    await compareMarketing(page, to);
  });
});
