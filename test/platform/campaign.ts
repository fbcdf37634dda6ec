import { type Campaign, createCampaign, importContacts, type Status } from "../faults/crash-campaigns/campaign.ts";
import { createTeam, type Team } from "../faults/crash-sending/team.ts";
import { secrets } from "../system/mailspan.ts";
import type { Counts, Rules } from "./inside/rules.ts";
import { type EmailService, startEmail } from "./service.ts";

/** A team with contacts on the simulated platform. Campaigns of one team run one after the other. */
export const startCampaigns = async (recipients: number, how: Parameters<typeof startEmail>[0] = {}) => {
  const service = await startEmail(how);
  const team = await createTeam(service);
  const { people } = await importContacts(team, service.url(), secrets.ADMIN_TOKEN, recipients);
  return { service, team, people };
};
export type Campaigns = { service: EmailService; team: Team; people: string[] };

/** `unseen`: unknown mails that never arrived. `silence`: the longest pause between two arrivals. Both times in ms. */
export type Outcome = {
  ended: boolean;
  ms: number;
  silence: number;
  sent: number;
  unknown: number;
  unseen: number;
  waiting: number;
  /** Mails without a result or with a wrong one. */
  lost: number;
  twice: number;
  counts: Counts;
};

const POLL_MS = 50;

const copiesOf = (addresses: readonly string[]): Map<string, number> => {
  const copies = new Map<string, number>();
  for (const address of addresses) copies.set(address, (copies.get(address) ?? 0) + 1);
  return copies;
};

/** Sends a campaign under `rules`. `during` may reset objects. `within`: ms until it must have ended. */
export const sendCampaign = async (
  { service, team, people }: Campaigns,
  rules: Rules,
  { during, within = 30_000 }: { during?: (campaign: Campaign) => Promise<void>; within?: number } = {},
): Promise<Outcome> => {
  const campaign = await createCampaign(team, service, "News");
  await campaign.count();
  await service.rules({ ses: true, ...rules });
  const arrived = async (): Promise<Map<string, number>> => {
    const copies = campaign.copies();
    return copies.size > 0 ? copies : copiesOf((await service.counts()).ses);
  };
  const started = Date.now();
  await insist(campaign, "send", { expected: people.length });
  const disturbed = during?.(campaign);
  let [silence, last, seen] = [0, started, 0];
  let ended = false;
  while (!ended && Date.now() - started < within) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const now = campaign.arrived() || (await service.counts()).ses.length;
    if (now > seen) {
      silence = Math.max(silence, Date.now() - last);
      [last, seen] = [Date.now(), now];
    }
    ended = await hasEnded(campaign);
  }
  const ms = Date.now() - started;
  if (!ended) silence = Math.max(silence, Date.now() - last);
  await disturbed;
  const counts = await service.counts();
  const copies = await arrived();
  await service.rules({});
  const states = new Map((await campaign.recipients()).map(({ email, state }) => [email, state]));
  const having = (state: string) => people.filter((address) => states.get(address) === state);
  const isRight = (address: string): boolean =>
    states.get(address) === "unknown" || (states.get(address) === "sent" && copies.get(address) === 1);
  return {
    ended,
    ms,
    silence,
    sent: having("sent").length,
    unknown: having("unknown").length,
    unseen: having("unknown").filter((address) => !copies.has(address)).length,
    waiting: having("queued").length + having("sending").length,
    lost: people.filter((address) => !isRight(address)).length,
    twice: [...copies.values()].filter((times) => times > 1).length,
    counts,
  };
};

/** Asks again after an answer of 500 or more, as an operator does. A campaign that already did it answers 409. */
export const insist = async (campaign: Campaign, ...what: Parameters<Campaign["act"]>): Promise<void> => {
  for (let tries = 1; ; tries++) {
    const { status, body } = await campaign.act(...what);
    if (status === 200 || (status === 409 && tries > 1)) return;
    if (status < 500 || tries === 10) throw new Error(`${what[0]}: ${status} ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

const hasEnded = async (campaign: Campaign): Promise<boolean> => {
  try {
    const { progress, inLedger } = (await campaign.status()) as Partial<Status>;
    return progress?.finishedAt != null && inLedger === 0;
  } catch {
    // The object dies with the question.
    return false;
  }
};

/** One row of the table that the tests print. */
export const rowOf = (
  what: string,
  { ended, ms, silence, sent, unknown, unseen, waiting, lost, twice, counts }: Outcome,
) =>
  [
    what,
    ended ? `ended in ${(ms / 1_000).toFixed(1)} s` : "did not end",
    `${sent} sent, ${unknown} unknown (${unseen} never arrived), ${waiting} waiting, ${lost} lost, ${twice} twice`,
    `silence ${(silence / 1_000).toFixed(1)} s`,
    `subrequests at most ${Object.entries(counts.most)
      .map(([name, most]) => `${name} ${most}`)
      .join(", ")}`,
    `refused ${
      Object.entries(counts.refused)
        .map(([name, times]) => `${name} ${times}`)
        .join(", ") || "none"
    }`,
  ].join(" | ");
