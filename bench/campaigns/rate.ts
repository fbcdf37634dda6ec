import { median } from "../median.ts";
import { atLeast, atMost, type Figure, sleep, until } from "../outbox/report.ts";
import { pacedCalls, within } from "../paced.ts";
import type { Sink } from "../sending/start.ts";
import { othersSince, withSender } from "../sending/throughput.ts";
import { startTeam, type Team } from "./team.ts";

/** Minimum share of the rate of the sending bench. */
const LEAST = 0.8;
const MAIL_PACE_MS = 250;
const PLAIN = 20_000;

type Rate = { perSecond: number; cpu: number };

const now = (): number => performance.timeOrigin + performance.now();

const plainRate = (sink: Sink, mails: number, isSigned: boolean): Promise<Rate> =>
  withSender(sink, { mailers: 4, isSigned }, mails, (run) => run(mails));

const urgentMails = async (team: Team, sink: Sink, isDone: () => boolean): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; !isDone(); n++) {
    const address = `urgent-${sink.port}-${n}@example.com`;
    const sent = now();
    await team.send(address);
    await until(`mail ${n} arrives`, () => sink.urgent.has(address), 30_000);
    times.push((sink.urgent.get(address) ?? Number.NaN) - sent);
    sink.urgent.delete(address);
    await sleep(MAIL_PACE_MS);
  }
  return times;
};

const send = async (team: Team, sink: Sink, recipients: number) => {
  const { worker } = team;
  const campaign = await team.newCampaign();
  await sink.drop();
  const cpu = worker.cpu();
  const others = othersSince(() => worker.cpu() + sink.cpu());
  const began = now();
  await campaign.send(recipients);
  let isDone = false;
  const answered = pacedCalls(team, () => isDone);
  const urgent = urgentMails(team, sink, () => isDone);
  await until("all mails arrive", async () => (await sink.arrived()).mails >= recipients, 60_000 + recipients * 20);
  isDone = true;
  const [calls, mails] = [await answered, await urgent];
  await campaign.finished(60_000);
  const { last, recipients: reached, bytes, mails: taken } = await sink.arrived();
  const { sent } = await campaign.delivery();
  if (sent !== recipients || taken !== reached || reached !== recipients + mails.length)
    throw new Error(`${taken} mails to ${reached} people, ${sent} sent, not ${recipients} and ${mails.length}.`);
  return {
    calls,
    mails,
    kilobytes: bytes / taken / 1_000,
    others: others(),
    perSecond: ((recipients + mails.length) * 1_000) / (last - began),
    cpu: ((worker.cpu() - cpu) * 1_000) / recipients,
  };
};

export const rate = async (
  sink: Sink,
  { recipients, isSigned }: { recipients: number; isSigned: boolean },
): Promise<Figure[]> => {
  const mails = Math.min(PLAIN, Math.ceil(recipients / 2));
  const before = await plainRate(sink, mails, isSigned);
  const team = await startTeam(sink, { isSigned }, recipients);
  const measured = await send(team, sink, recipients).finally(() => team.worker.stop());
  const after = await plainRate(sink, mails, isSigned);
  const plain = { perSecond: (before.perSecond + after.perSecond) / 2, cpu: (before.cpu + after.cpu) / 2 };
  const { perSecond, cpu, kilobytes, others, calls } = measured;
  return [
    {
      what: `a campaign to ${recipients} recipients: mails of ${kilobytes.toFixed(1)} kB per second`,
      value: perSecond.toFixed(0),
    },
    { what: "  CPU time of 1 000 mails, with the requests meanwhile", value: `${cpu.toFixed(2)} s` },
    { what: "  other processes meanwhile, as a share of all processors", value: `${(others * 100).toFixed(0)} %` },
    {
      what: `sending bench, ${mails} mails before and ${mails} after: mails per second`,
      value: `${before.perSecond.toFixed(0)}, ${after.perSecond.toFixed(0)}`,
    },
    { what: "  CPU time of 1 000 mails", value: `${before.cpu.toFixed(2)}, ${after.cpu.toFixed(2)} s` },
    atLeast("the campaign as a share of that: mails per second", perSecond / plain.perSecond, LEAST),
    { what: "  CPU time", value: (cpu / plain.cpu).toFixed(2) },
    atMost(`transactional mail meanwhile: median of ${measured.mails.length}`, median(measured.mails), 1_000, 0, " ms"),
    { what: "  the slowest", value: `${Math.max(...measured.mails).toFixed(0)} ms` },
    {
      what: `API requests meanwhile, ten a second: median of ${calls.length}`,
      value: `${median(calls).toFixed(0)} ms`,
    },
    atMost("  99 % answered within", within(calls, 0.99), 100, 0, " ms"),
    { what: "  the slowest", value: `${Math.max(...calls).toFixed(0)} ms` },
  ];
};
