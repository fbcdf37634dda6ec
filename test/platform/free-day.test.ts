import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signedSample } from "../../scripts/samples/samples.ts";
import { createCampaign } from "../faults/crash-campaigns/campaign.ts";
import { secrets, until } from "../system/mailspan.ts";
import { type Campaigns, startCampaigns } from "./campaign.ts";
import { startSimulated } from "./simulated.ts";

/** A tenth of the Free plan, by DAY_ROWS: 100 000 rows a day, and a campaign of 20 000. */
const SHARE = 0.1;
const ROWS = 100_000 * SHARE;
const RECIPIENTS = 20_000 * SHARE;
const DAY_MS = 86_400_000;

type Usage = { rows: { team: number; account: number; limit: number | null; waiting: string[] } };
type Waiting = { waiting: { code: string; message: string }[] };

const tomorrow = (): number => (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** A bridge before the email service, with a function that posts a paid invoice for an address. */
const startBridge = async ({ service, team }: Campaigns) => {
  await team.operate("POST", "/samples", {});
  const { key } = (await team.operate<{ key: string }>("POST", "/keys", { name: "bridge" })).body;
  const platform = await startSimulated({
    bridge: { ...secrets, EMAIL_API_URL: service.url(), EMAIL_API_KEY: key },
  });
  return {
    pay: async (email: string): Promise<number> => {
      const { raw, headers } = await signedSample("stripe", "invoice.paid", {
        secret: secrets.STRIPE_WEBHOOK_SECRET,
        now: Date.now(),
        set: { "data.object.customer_email": email },
      });
      return (await fetch(`${platform.url("bridge")}/hooks/stripe`, { method: "POST", headers, body: raw })).status;
    },
    stop: platform.stop,
  };
};

describe("a day of the Free plan", () => {
  let campaigns: Campaigns;
  let bridge: Awaited<ReturnType<typeof startBridge>>;
  beforeAll(async () => {
    campaigns = await startCampaigns(RECIPIENTS, { vars: { DAY_ROWS: String(ROWS) } });
    bridge = await startBridge(campaigns);
  });
  afterAll(async () => {
    await bridge.stop();
    await campaigns.service.stop();
  });

  it("a campaign stops by itself, mail of a webhook and of a sign-in leaves at once, and it goes on after midnight", async () => {
    const { service, team, people } = campaigns;
    const usage = async () => (await team.operate<Usage>("GET", "/usage")).body.rows;
    const campaign = await createCampaign(team, service, "News");
    const noon = tomorrow() + DAY_MS / 2;
    await service.rules({ ahead: noon - Date.now() });
    expect(await usage()).toMatchObject({ limit: ROWS, waiting: [] });
    await campaign.count();
    expect((await campaign.act("send", { expected: people.length })).status).toBe(200);

    const waiting = async () => ((await campaign.status()) as unknown as Waiting).waiting;
    const [why] = await until(
      "the campaign waits for the next day",
      async () => {
        const found = (await waiting()).filter(({ code }) => code === "day_rows");
        const { inLedger } = await campaign.status();
        return found.length > 0 && inLedger === 0 ? found : undefined;
      },
      90_000,
    );
    expect(why?.message).toContain(new Date(tomorrow() + DAY_MS).toISOString());
    await sleep(1_000);
    const stopped = await usage();
    const first = campaign.arrived();
    console.log(`${first} of ${people.length} mails on the first day; rows ${JSON.stringify(stopped)}`);
    expect(stopped.waiting).toEqual(["campaigns"]);
    // The bridge counts for a tenth of the rows. All recipients are written down before the first mail.
    expect(stopped.account).toBeGreaterThan(0.68 * ROWS);
    expect(stopped.account).toBeLessThan(0.73 * ROWS);
    expect(first).toBeGreaterThan((0.5 * ROWS - 1.1 * RECIPIENTS) / 4.5);
    expect(first).toBeLessThan(people.length);
    // Mails that are claimed a second time need 8 rows more.
    expect((stopped.team - people.length) / first).toBeLessThan(3.9);

    const asked = Date.now();
    expect(await bridge.pay("customer@example.com")).toBe(202);
    expect(await team.send("login@example.com")).toBe(200);
    await until("both mails have arrived", async () => campaign.arrived() === first + 2 || undefined, 5_000);
    expect(Date.now() - asked).toBeLessThan(5_000);

    // Alarms run by the machine's clock. The cron sets those that the jump of the clock has moved.
    await service.rules({ ahead: tomorrow() + DAY_MS - 3_000 - Date.now() });
    await service.cron();
    await sleep(1_500);
    expect(campaign.arrived()).toBe(first + 2);
    const { sent, unknown } = await campaign.ended(60_000);
    expect({ sent, unknown }).toEqual({ sent: people.length, unknown: 0 });
    const copies = campaign.copies();
    expect(people.filter((address) => copies.get(address) !== 1)).toEqual([]);
    expect((await usage()).waiting).toEqual([]);
  });
});
