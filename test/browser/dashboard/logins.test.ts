import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { secrets } from "../../system/mailspan.ts";
import { ageSessions } from "./age.ts";
import { dashboardBench, logOut } from "./bench.ts";
import { addCampaign, asOperator } from "./data.ts";
import { faultsOf } from "./faults.ts";
import { acceptOn, inviteOn, withDevice } from "./passkeys.ts";
import { settled } from "./watch.ts";
import { actOn, addWorkflow } from "./workflow-data.ts";

const { open, enter, mailspan } = dashboardBench();

const PEOPLE = { path: "/settings/members", named: true, alone: true } as const;

const stranger = async () => {
  let device: Awaited<ReturnType<typeof withDevice>> | undefined;
  const prepare = async (page: Page) => {
    device = await withDevice(page);
  };
  const page = await open({ named: true, prepare });
  return { page, device: device as Awaited<ReturnType<typeof withDevice>> };
};

const named = (): string => (mailspan().dashboardUrl ?? "").replace("127.0.0.1", "localhost");
const go = (page: Page, path: string) => page.goto(named() + path);

const newList = async (page: Page, name: string): Promise<void> => {
  await go(page, "/people/lists");
  await page.getByRole("button", { name: "New list" }).first().click();
  await page.getByRole("dialog").getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Save" }).click();
};

describe("a person who is invited", () => {
  it("makes a passkey, is refused what the role does not allow, does what it allows, and gets more with another role", async () => {
    const owner = await enter(PEOPLE);
    await owner.getByText("Nobody is invited yet").waitFor();
    const link = await inviteOn(owner, "Grace", "support");
    expect(link.startsWith(`${named()}/#invite=`)).toBe(true);
    const row = owner.getByRole("row", { name: /Grace/ });
    await row.getByText("a link that ends").waitFor();

    const { page, device } = await stranger();
    await page.goto(link);
    await page.getByText("owner has invited you as Grace, with the role support").waitFor();
    expect(page.url()).toBe(`${named()}/`);
    expect(await faultsOf(page)).toEqual([]);
    await device.verifies(false);
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("alert").getByText("No passkey was used").waitFor();
    await device.verifies(true);
    await page.getByRole("button", { name: "Make a passkey" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect((await device.credentials()).length).toBe(1);
    await page.getByText("A lost device would lock you out").waitFor();
    expect(await page.evaluate("document.cookie")).toBe("");

    const change = page.getByRole("button", { name: "Change role of Grace" });
    expect(await change.getAttribute("title")).toBe(
      "Your role is support. This needs owner: an owner can give it to you.",
    );
    await change.click({ force: true });
    await page.getByRole("button", { name: "Remove Grace" }).click({ force: true });
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);

    await go(page, "/deliveries/throughput");
    await page.getByRole("button", { name: "Pause delivery" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
    await page.getByText("A person paused delivery").waitFor();
    await page.getByRole("button", { name: "Resume delivery" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("A person paused delivery").waitFor({ state: "detached" });

    const asked = await page.evaluate(`fetch("/api/email/teams/demo/lists", {
      method: "POST", headers: { "Content-Type": "application/json", "X-Mailspan": "1" }, body: JSON.stringify({ name: "News" })
    }).then(async (answer) => [answer.status, (await answer.json()).code])`);
    expect(asked).toEqual([403, "role_required"]);

    await row.getByRole("button", { name: "Change role of Grace" }).click();
    const dialog = owner.getByRole("dialog", { name: "Role of Grace" });
    await dialog.getByRole("radio", { name: "editor" }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await owner.getByText("Grace has the role editor now.").waitFor();
    await newList(page, "News");
    await page.getByText("The list is created.").waitFor();

    await owner.goto(`${named()}/settings/audit?who=Grace`);
    const table = owner.getByRole("table", { name: "changes" });
    await table.getByText("email.lists.create").first().waitFor();
    const answers = table.getByRole("row", { name: /email\.lists\.create/ }).getByRole("cell", { name: /^\d{3}$/ });
    expect(await answers.allTextContents()).toEqual(["201", "403"]);
  });

  it("has used the link once with the passkey: the page does not send it again, and no refused login is in the audit", async () => {
    const owner = await enter(PEOPLE);
    const link = await inviteOn(owner, "Once", "viewer");
    const { page } = await stranger();
    const asked: string[] = [];
    page.on("response", (answer) => {
      const { pathname } = new URL(answer.url());
      if (pathname.startsWith("/api/invite")) asked.push(`${pathname} ${answer.status()}`);
    });
    await acceptOn(page, link);
    await settled(page);
    expect(asked).toEqual(["/api/invite 200", "/api/invite/accept 201"]);
    await owner.goto(`${named()}/settings/audit?operation=dashboard.invites`);
    const table = owner.getByRole("table", { name: "changes" });
    await table.getByText("dashboard.invites.accept").first().waitFor();
    expect(await table.getByRole("row", { name: /unknown/ }).count()).toBe(0);
  });

  it("sees as a viewer why a workflow cannot be paused or changed, and no settings saved", async () => {
    const { id, timer } = await addWorkflow(mailspan(), "Watched");
    await actOn(mailspan(), id, "start");
    const { page } = await stranger();
    await acceptOn(page, await inviteOn(await enter(PEOPLE), "Vera", "viewer"));
    const why = /^Your role is viewer\. This needs \w+: an owner can give it to you\.$/;
    const refused = async (name: string, role: "button" | "menuitem" = "button") => {
      const button = page.getByRole(role, { name, exact: true });
      expect(await button.getAttribute("title"), name).toMatch(why);
      expect(await button.getAttribute("aria-description"), name).toMatch(why);
      expect(await button.getAttribute("aria-disabled"), name).toBe("true");
      await button.click({ force: true });
      expect(await page.getByRole("dialog").count(), name).toBe(0);
      if (role === "button") expect(await page.getByRole("menu").count(), name).toBe(0);
    };
    await go(page, `/workflows/${id}?node=${timer}`);
    await refused("Pause");
    for (const name of ["Stop", "Name and group", "Change the list"]) {
      const isOpen = await page.getByRole("menuitem", { name, exact: true }).isVisible();
      if (!isOpen) await page.getByRole("button", { name: "More actions" }).click();
      await refused(name, "menuitem");
    }
    await actOn(mailspan(), id, "pause");
    await go(page, `/workflows/${id}?node=${timer}`);
    for (const name of ["Resume", "Add below", "Save the step"]) await refused(name);
    expect(await faultsOf(page)).toEqual([]);
    await go(page, "/people/lists");
    await page.getByRole("button", { name: "New list", exact: true }).first().waitFor();
    await page.keyboard.press("n");
    expect(await page.getByRole("dialog").count()).toBe(0);
    for (const [path, name] of [
      ["/segments/new", "Create"],
      ["/workflows/new", "Create"],
      ["/templates/brand", "New theme"],
      ["/templates/components", "New component"],
      ["/templates/pictures", "Choose pictures"],
    ] as const) {
      await go(page, path);
      await refused(name);
    }
    const noImport = page.getByText(why);
    await go(page, "/people/imports/new");
    await noImport.waitFor();
    expect(await page.getByLabel("CSV file").isDisabled()).toBe(true);
    await go(page, "/settings");
    await page.getByLabel("Footer").fill("Not mine to change");
    await refused("Save");
    await page.getByText("1 changed").waitFor();
    expect(await faultsOf(page)).toEqual([]);
  }, 240_000);

  it("sees as a viewer the estimate of a draft campaign and what it lacks, and cannot count exactly or send", async () => {
    const draft = await addCampaign(mailspan(), "Watched sale");
    const { page } = await stranger();
    await acceptOn(page, await inviteOn(await enter(PEOPLE), "Victor", "viewer"));
    const estimate = {
      recipients: 50,
      exact: false,
      low: 40,
      high: 60,
      matching: 50,
      excluded: {},
      total: 90_000,
      next: null,
    };
    await page.route("**/campaigns/*/estimate", (route) => route.fulfill({ json: estimate }));
    await go(page, `/campaigns/${draft}`);
    await page.getByRole("heading", { name: "Before it goes", level: 2 }).waitFor();
    for (const field of [
      page.getByRole("textbox", { name: "Name", exact: true }),
      page.getByRole("combobox", { name: "Mailing list" }),
    ])
      expect(await field.isDisabled()).toBe(true);
    expect(await page.getByRole("radio", { name: "Schedule" }).isDisabled()).toBe(true);
    for (const name of ["Count all of them", "Send"]) {
      const button = page.getByRole("button", { name, exact: true });
      expect(await button.getAttribute("title"), name).toBe(
        "Your role is viewer. This needs editor: an owner can give it to you.",
      );
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      await button.click({ force: true });
      expect(
        asked.filter((url) => url.endsWith("/estimate")),
        name,
      ).toEqual([]);
      expect(await page.getByRole("dialog").count(), name).toBe(0);
    }
    const v1 = `${mailspan().emailUrl}/admin/teams/demo/v1`;
    const { emailMessageId } = await asOperator<{ emailMessageId: string }>(`${v1}/campaigns/${draft}`);
    await go(page, `/messages/${emailMessageId}`);
    const preview = page.getByRole("button", { name: "Send a preview" });
    expect(await preview.getAttribute("title")).toMatch(/^Your role is viewer\. This needs \w+/);
    await preview.click({ force: true });
    await page.keyboard.press("ControlOrMeta+Enter");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });

  it("logs in again with the passkey and no name, or with a recovery code, until an owner removes the person", async () => {
    const owner = await enter(PEOPLE);
    const { page } = await stranger();
    await acceptOn(page, await inviteOn(owner, "Ada", "viewer"));
    await page.getByRole("button", { name: "Make recovery codes" }).click();
    await page.getByRole("button", { name: "Make ten codes" }).click();
    const codes = ((await page.locator("[role=dialog] pre, [role=dialog] code").first().textContent()) ?? "").split(
      "\n",
    );
    expect(codes.length).toBe(10);
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "I have them" }).click();
    await page.getByText("10 of 10 recovery codes are left.").waitFor();

    await logOut(page);
    await page.getByLabel("Admin token").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("You are Ada, with the role viewer").waitFor();

    await logOut(page);
    await page.getByRole("button", { name: "Use a recovery code" }).click();
    await page.getByLabel("Recovery code").fill("AAAAA-AAAAA-AAAAA-AAAAA");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("no such code").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await page.getByLabel("Recovery code").fill(codes[0]?.toLowerCase() ?? "");
    await page.keyboard.press("Enter");
    await page.getByText("9 of 10 recovery codes are left.").waitFor();

    await owner.getByRole("button", { name: "Remove Ada" }).click();
    const dialog = owner.getByRole("dialog", { name: "Remove Ada?" });
    await dialog.getByLabel('Type "remove" to confirm').fill("remove");
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await owner.getByText("Ada is removed.").waitFor();
    await page.getByRole("link", { name: "Sources" }).click();
    const ended = page.getByRole("dialog", { name: "Your session has ended" });
    await ended.getByRole("button", { name: "Use a passkey" }).click();
    await ended.getByRole("alert").getByText("it is not known here").waitFor();
  });

  it("proves in place who it is, with the passkey, before an act that cannot be undone; and has more than one passkey", async () => {
    const owner = await enter(PEOPLE);
    const { page } = await stranger();
    await acceptOn(page, await inviteOn(owner, "Olga", "owner"));
    await page.getByRole("button", { name: "Invite a person" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite a person" });
    await dialog.getByLabel("Name").fill("Iris");
    ageSessions(mailspan());
    await dialog.getByRole("button", { name: "Invite", exact: true }).click();
    await dialog.getByText("Your login is older than 15 minutes").waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Use a passkey" }).click();
    await dialog.getByText(/#invite=/).waitFor();
    expect(await faultsOf(page)).toEqual([]);
    await dialog.getByRole("button", { name: "I have it" }).click();

    await page.getByRole("button", { name: "Add a passkey" }).click();
    const adding = page.getByRole("dialog", { name: "Add a passkey" });
    await adding.getByLabel("Name").fill("Key in the safe");
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await adding.getByRole("alert").getByText("This device has a passkey of yours already").waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("WebAuthn.enable");
    await session.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "usb",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await adding.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Key in the safe is added.").waitFor();
    await page.getByText("A lost device would lock you out").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Revoke Key in the safe", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke", exact: true }).click();
    await page.getByText("A lost device would lock you out").waitFor();
  });

  it("is told at 127.0.0.1 where passkeys work, and of a link that is over what to do", async () => {
    const owner = await enter(PEOPLE);
    const link = await inviteOn(owner, "Eve", "viewer");
    const page = await open({ path: `/${new URL(link).hash}` });
    const elsewhere = page.getByRole("link", { name: `Open ${named()}` });
    expect(await elsewhere.getAttribute("href")).toBe(link);
    expect(await faultsOf(page)).toEqual([]);
    const { page: other } = await stranger();
    await other.goto(`${named()}/#invite=${"0".repeat(64)}`);
    await other.getByRole("alert").getByText("Ask an owner for a new one").waitFor();
    expect(await faultsOf(other)).toEqual([]);
    await other.getByRole("button", { name: "To the login" }).click();
    await other.getByLabel("Admin token").fill(secrets.ADMIN_TOKEN);
    await other.getByRole("button", { name: "Log in" }).click();
    await other.getByRole("region", { name: "The way of webhooks and mail" }).waitFor();
    await other.goto(link);
    await acceptOn(other, link);
    await other.getByText("You are Eve, with the role viewer").waitFor();
  });
});
