import type { Browser } from "playwright-core";
import type { Figure } from "../outbox/report.ts";
import { until } from "../outbox/report.ts";
import { figuresOf } from "./figures.ts";
import { openTab } from "./tab.ts";
import { MAIL, type Team } from "./team.ts";

/** Measures a campaign while its page is open. */
export const campaign = async (team: Team, browser: Browser, recipients: number): Promise<Figure[]> => {
  const { id, emailMessageId } = await team.post("/v1/campaigns", { name: "Spring sale" });
  await team.post(`/v1/email-messages/${emailMessageId}`, MAIL);
  const tab = await openTab(browser, team.scale, `/campaigns/${id}?team=demo`);
  const { page } = tab;
  await page.getByText("Spring sale").first().waitFor();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Send Spring sale?" });
  await dialog.getByLabel(/^Type "/).fill(String(recipients));
  await dialog.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByText("Spring sale is being sent.").waitFor();
  let most = 0;
  const progress = async () => {
    const { json } = await team.scale.ask(`/email/teams/demo/campaigns/${id}/status`);
    return (json as { progress: { finishedAt: string | null; sent: number } | null }).progress;
  };
  await until(
    "the campaign ends",
    async () => {
      most = Math.max(most, await tab.heap());
      await page.waitForTimeout(3_000);
      return typeof (await progress())?.finishedAt === "string";
    },
    60_000 + recipients * 20,
  );
  await page
    .getByRole("region", { name: "Results" })
    .getByText(`${recipients.toLocaleString("en")} sent`)
    .waitFor();
  most = Math.max(most, await tab.heap());
  const sent = (await progress())?.sent;
  if (sent !== recipients) throw new Error(`${sent} mails were sent, not ${recipients}.`);
  const figures = figuresOf(`a campaign to ${recipients}`, tab, most);
  await tab.close();
  return figures;
};
