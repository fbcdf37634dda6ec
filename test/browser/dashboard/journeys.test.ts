import { createServer, request, type Server } from "node:http";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newLoginCode } from "../../../scripts/start/dashboard.ts";
import { sendSamples } from "../../../scripts/start/samples.ts";
import { freePort } from "../../port.ts";
import { secrets, until } from "../../system/mailspan.ts";
import { clerkWebhook } from "../../system/signed.ts";
import { dashboardBench } from "./bench.ts";
import { asOperator } from "./data.ts";

const code = newLoginCode();
const bridgeVars: Record<string, unknown> = {};
let way: Awaited<ReturnType<typeof startWay>>;

/** A server between the bridge and the email service, which can refuse connections. */
const startWay = async () => {
  const port = await freePort();
  let target = "";
  let server: Server | undefined;
  const open = async (url = target) => {
    target = url;
    server = createServer((asked, answer) => {
      const { method, headers, url: path } = asked;
      const passed = request(`${target}${path}`, { method, headers }, (given) => {
        answer.writeHead(given.statusCode ?? 502, given.headers);
        given.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      asked.pipe(passed);
    });
    await new Promise<void>((done) => server?.listen(port, "127.0.0.1", done));
  };
  const close = async () => {
    server?.closeAllConnections();
    await new Promise((done) => server?.close(done));
  };
  return { url: `http://127.0.0.1:${port}`, open, close };
};

beforeAll(async () => {
  way = await startWay();
  bridgeVars.EMAIL_API_URL = way.url;
});
const { open, enter, mailspan } = dashboardBench(bridgeVars, {}, undefined, { LOGIN_CODE: code });
beforeAll(() => way.open(mailspan().emailUrl));
afterAll(() => way.close());

const team = () => `${mailspan().emailUrl}/admin/teams/demo`;
const now = (page: Page) => page.getByRole("main").innerText();

/** Counts what a person does, and prints it with the time of the journey. */
const recorded = async (name: string, go: (acts: ReturnType<typeof actsOf>) => Promise<void>): Promise<void> => {
  const acts = actsOf();
  const began = performance.now();
  await go(acts);
  const { clicks, texts } = acts.counts;
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  console.info(`JOURNEY ${name}: ${clicks} clicks, ${texts} texts typed, ${seconds} s`);
};

const actsOf = () => {
  const counts = { clicks: 0, texts: 0 };
  return {
    counts,
    click: async (what: Locator) => {
      counts.clicks += 1;
      await what.click();
    },
    type: async (what: Locator, text: string) => {
      counts.texts += 1;
      await what.fill(text);
    },
  };
};

const signUp = async (name: string): Promise<string> => {
  const { payload, headers } = clerkWebhook((event) => {
    event.data.id = `user_${name}`;
    event.data.email_addresses[0].email_address = `${name}@journeys.example`;
  });
  return ((await (await mailspan().post("clerk", payload, headers)).json()) as { id: string }).id;
};

it("the first ten minutes: the samples are seen, and a wrong secret is named with its cure, until a webhook fits again", async () => {
  const page = await open({ path: `/#code=${code}` });
  await page.getByRole("heading", { name: "Everything is flowing", level: 1 }).waitFor();
  await recorded("first minutes with a broken secret", async ({ click }) => {
    await sendSamples(mailspan(), secrets);
    await page.getByRole("table", { name: "Latest webhooks" }).getByRole("link", { name: "user.created" }).waitFor();
    const { payload, headers } = clerkWebhook(() => {});
    const refused = await mailspan().post("clerk", payload, { ...headers, "svix-signature": "v1,AAAA" });
    expect(refused.status).toBe(401);
    const needs = page.getByRole("region", { name: "Needs you" });
    await needs.getByRole("article").filter({ hasText: "Clerk" }).waitFor();
    await click(page.getByRole("link", { name: "Sources", exact: true }));
    await click(page.getByRole("link", { name: "clerk", exact: true }));
    await page.getByRole("heading", { name: "clerk", level: 1 }).waitFor();
    await page.getByText("CLERK_WEBHOOK_SECRET").first().waitFor();
    expect(await now(page)).toMatch(/signature/i);
    await mailspan().settled(await signUp("fits"), 60_000);
    await click(page.getByRole("link", { name: "Overview", exact: true }));
    await page.getByRole("heading", { name: "Everything is flowing", level: 1 }).waitFor();
  });
});

it("the email service is down and up again: the overview says so, nothing is lost, and it ends by itself", async () => {
  const page = await enter();
  await page.getByRole("heading", { name: "Everything is flowing", level: 1 }).waitFor();
  await recorded("email service down and up again", async ({ click }) => {
    await way.close();
    const id = await signUp("patient");
    await page.getByRole("heading", { name: "The email service does not answer", level: 1 }).waitFor();
    expect(await now(page)).toMatch(/connection/i);
    await click(page.getByRole("link", { name: "Deliveries", exact: false }).first());
    await click(page.getByRole("link", { name: /^Waiting/ }));
    await page.getByText("patient@journeys.example").first().waitFor();
    await way.open();
    await mailspan().settled(id, 60_000);
    await click(page.getByRole("link", { name: "Overview", exact: true }));
    await page.getByRole("heading", { name: "Everything is flowing", level: 1 }).waitFor();
  });
});

/** Finds a person by a name only, and opens the page. */
const find = async (page: Page, acts: ReturnType<typeof actsOf>, name: string, address: string): Promise<void> => {
  await page.getByRole("heading", { level: 1 }).waitFor();
  await acts.click(page.getByRole("button", { name: /^Search/ }).first());
  await acts.type(page.getByPlaceholder("Search people, mail, webhooks, pages"), name);
  await acts.click(page.locator("[data-action]").filter({ hasText: address }).first());
  await page.getByText(address).first().waitFor();
};

it("somebody got no mail: a name leads to the reason", async () => {
  const email = "grace@journeys.example";
  await asOperator(`${team()}/v1/contacts/create`, "POST", { email, firstName: "Grace", lastName: "Hopper" });
  await asOperator(`${team()}/suppressions`, "POST", { email });
  const asked = { transactionalId: "tpl_welcome", email, dataVariables: { name: "Grace" } };
  await fetch(`${mailspan().emailUrl}/v1/transactional`, {
    method: "POST",
    headers: { Authorization: `Bearer ${mailspan().key}`, "Content-Type": "application/json" },
    body: JSON.stringify(asked),
  });
  const page = await enter();
  await recorded("got no mail, by name", async (acts) => {
    await find(page, acts, "hopper", email);
    await page
      .getByText(/suppressed/i)
      .first()
      .waitFor();
  });
  expect(await now(page)).toMatch(/Grace Hopper[\s\S]*suppressed/i);
});

it("somebody got two mails: a name leads to both, each with what sent it", async () => {
  const email = "alan@journeys.example";
  await asOperator(`${team()}/v1/contacts/create`, "POST", { email, firstName: "Alan", lastName: "Turing" });
  for (const transactionalId of ["tpl_welcome", "tpl_receipt"]) {
    const dataVariables = { name: "Alan", company: "Acme", website: "https://acme.example", amount: "9 €" };
    const more = { description: "Pro", date: "today", reference: "1", link: "https://acme.example" };
    const asked = { transactionalId, email, dataVariables: { ...dataVariables, ...more } };
    await mailspan().client.sendTransactionalEmail(asked);
  }
  const page = await enter();
  await recorded("got two mails, by name", async (acts) => {
    await find(page, acts, "turing", email);
    const story = page.getByRole("tabpanel");
    for (const subject of [/^Welcome to/, /receipt/]) await story.getByText(subject).first().waitFor();
    await acts.click(story.getByRole("link", { name: /receipt/ }).first());
    await page.getByText("A request of the API sent it.").waitFor();
  });
});

it("a person asks to be forgotten: the search finds them, says what goes, and then finds nobody", async () => {
  const email = "mary@journeys.example";
  await asOperator(`${team()}/v1/contacts/create`, "POST", { email, firstName: "Mary", lastName: "Somerville" });
  const page = await enter();
  await recorded("forget", async (acts) => {
    await find(page, acts, "somerville", email);
    await acts.click(page.getByRole("button", { name: "More actions" }));
    await acts.click(page.getByRole("menuitem", { name: "Erase the person" }));
    const dialog = page.getByRole("dialog", { name: `Erase ${email}?` });
    await dialog.getByText("This cannot be undone").waitFor();
    await acts.type(dialog.getByLabel(/Type "erase"/), "erase");
    await acts.click(dialog.getByRole("button", { name: "Erase", exact: true }));
    await page.getByText("The person is erased.").waitFor();
  });
  await until("the person is gone", async () => {
    const { data } = await asOperator<{ data: object[] }>(`${team()}/search?q=somerville`);
    return data.length === 0 || undefined;
  });
});
