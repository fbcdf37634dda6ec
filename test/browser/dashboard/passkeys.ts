import type { Page } from "playwright-core";

/** Gives a page a passkey device with its owner present. For `prepare`: before the page is loaded. */
export const withDevice = async (page: Page) => {
  const session = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    verifies: (isUserVerified: boolean) =>
      session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified }),
    credentials: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials,
  };
};

/** Invites a person on an owner's page, and returns the link. `close`: closes the dialog too. */
export const inviteOn = async (page: Page, name: string, role: string, close = true): Promise<string> => {
  await page.getByRole("button", { name: "Invite a person" }).click();
  const dialog = page.getByRole("dialog", { name: "Invite a person" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("radio", { name: role }).check();
  await dialog.getByRole("button", { name: "Invite", exact: true }).click();
  const link = (await dialog.getByText(/#invite=/).textContent()) ?? "";
  if (close) await dialog.getByRole("button", { name: "I have it" }).click();
  return link;
};

/** Makes a passkey with an invitation link, and so logs in. */
export const acceptOn = async (page: Page, link: string): Promise<void> => {
  await page.goto(link);
  await page.getByRole("button", { name: "Make a passkey" }).click();
  await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
};

/** Invites a person by the request of an owner's page. Returns the secret of the link. */
export const addPerson = async (page: Page, name: string, role = "support"): Promise<string> =>
  page.evaluate(`fetch("/api/people", {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Mailspan": "1" },
    body: ${JSON.stringify(JSON.stringify({ name, role }))},
  }).then(async (answer) => (await answer.json()).invite)`);
