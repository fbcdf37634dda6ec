import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Stage } from "../mail-provider/relay.ts";
import { until } from "../system/mailspan.ts";
import type { Step } from "./crash-sending/reach.ts";
import { startService } from "./crash-sending/service.ts";
import { createTeam, type Send, type Team } from "./crash-sending/team.ts";

/** Kills under load, set by `npm run crash`. */
const CRASHES = Number(process.env.CRASHES || 5);
const CLIENTS = 8;
/** Mails that a Mailer hands over at the same time (src/email/delivery/mailer/mailer-queue.ts), and Mailers of transactional mail. */
const AT_ONCE = 6 * 2;
/** Ms until the last mail is settled, on a busy machine. */
const SETTLED = 60_000;

let service: Awaited<ReturnType<typeof startService>>;
let team: Team;
beforeAll(async () => {
  service = await startService();
  team = await createTeam(service);
});
afterAll(() => service.stop());

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

type Place = { step: Step } | { stage: Stage };

describe("kill -9 between two steps of one mail", () => {
  const kills: [what: string, place: Place, expected: { state: string; copies: number }][] = [
    ["claimed, not noted as started", { step: "claimed" }, { state: "sent", copies: 1 }],
    ["noted as started, not handed over", { step: "noted" }, { state: "unknown", copies: 0 }],
    ["at MAIL FROM", { stage: "MAIL" }, { state: "unknown", copies: 0 }],
    ["at RCPT TO", { stage: "RCPT" }, { state: "unknown", copies: 0 }],
    ["at DATA", { stage: "DATA" }, { state: "unknown", copies: 0 }],
    ["before the message", { stage: "block" }, { state: "unknown", copies: 0 }],
    ["after the final dot: the mail provider drops the mail", { stage: "end" }, { state: "unknown", copies: 0 }],
    ["after 250, not reported", { step: "answered" }, { state: "unknown", copies: 1 }],
    ["settled, the Mailer has no answer", { step: "settled" }, { state: "sent", copies: 1 }],
  ];

  it.each(kills)("%s", async (_, place, expected) => {
    const death = service.death();
    const to = `${Object.values(place)[0]}@example.com`;
    if ("step" in place) service.killAt(place.step);
    else service.behavior.at = { [place.stage]: (() => service.kill()) satisfies Answer };
    await team.send(to).catch(() => {});
    await death;
    service.behavior.at = {};
    await service.start();
    const sends = await team.settled(20_000);
    const [mail] = sends.filter((send) => send.to === to);
    expect(mail && { state: mail.state, copies: team.copies(mail) }).toEqual(expected);
  });

  it("after the final dot: the mail provider keeps the mail", async () => {
    const before = service.seen.mails.length;
    service.behavior.at = { end: "stall" };
    expect(await team.send("kept@example.com")).toBe(200);
    await until("the mail provider has the mail", async () => service.seen.mails[before]);
    await service.kill();
    service.behavior.at = {};
    await service.start();
    const [mail] = (await team.settled(20_000)).filter(({ to }) => to === "kept@example.com");
    expect(mail && { state: mail.state, copies: team.copies(mail) }).toEqual({ state: "unknown", copies: 1 });
  });
});

describe(`kill -9 of the whole process group under load, ${CRASHES} times`, () => {
  it(
    "loses no accepted mail and sends none twice; a mail is unknown only if it was started and not settled",
    async () => {
      const accepted: string[] = [];
      let unanswered: string[] = [];
      let deliveries = 0;
      const send = async (to: string, key?: string) => {
        try {
          const status = await team.send(to, key);
          if (status === 200 || (status === 409 && key)) accepted.push(to);
          else throw new Error(`status ${status}`);
        } catch (error) {
          if (String(error).includes("status")) throw error;
          if (key) unanswered.push(to);
        }
      };
      const earlier = new Set((await team.sends()).map(({ id }) => id));
      for (let crash = 0; crash < CRASHES; crash++) {
        if (crash > 0) await service.start();
        const repeated = unanswered;
        unanswered = [];
        for (const to of repeated) await send(to, to);
        let killed = false;
        const clients = Array.from({ length: CLIENTS }, async () => {
          while (!killed) {
            const to = `p${++deliveries}@example.com`;
            await send(to, deliveries % 2 === 0 ? to : undefined);
          }
        });
        await sleep(100 + Math.random() * 1_200);
        killed = true;
        await service.kill();
        await Promise.all(clients);
      }
      await service.start();
      for (const to of unanswered.splice(0)) await send(to, to);
      const all = (await team.settled(SETTLED)).filter(({ id }) => !earlier.has(id));
      check(all, accepted);
      expect(unanswered).toEqual([]);
    },
    SETTLED + CRASHES * 20_000,
  );
});

const check = (all: readonly Send[], accepted: readonly string[]): void => {
  const rows = Map.groupBy(all, ({ to }) => to);
  const handedOver = new Set(service.seen.lines.flatMap(({ text }) => /^RCPT TO:<(.*?)>/i.exec(text)?.[1] ?? []));
  const unknown = all.filter(({ state }) => state === "unknown");
  const unseen = unknown.filter(({ to }) => !handedOver.has(to));
  console.log(
    `${CRASHES} crashes: ${accepted.length} mails accepted, ${all.length} rows, ${all.length - unknown.length} sent, ` +
      `${unknown.length} unknown, of which the mail provider accepted ${unknown.filter((send) => team.copies(send) > 0).length} ` +
      `and saw nothing of ${unseen.length}`,
  );
  expect(accepted.length).toBeGreaterThan(CRASHES * CLIENTS);
  expect(accepted.filter((to) => rows.get(to)?.length !== 1)).toEqual([]);
  // A delivery without an answer may have been committed. It is one mail, too.
  expect([...rows.values()].filter((same) => same.length > 1)).toEqual([]);
  expect(all.filter((send) => team.copies(send) > 1)).toEqual([]);
  expect(all.filter((send) => send.state !== "unknown" && !(send.state === "sent" && team.copies(send) === 1))).toEqual(
    [],
  );
  // A mail is noted as started right before its handover, so few unknown mails are unseen.
  expect(unseen.length).toBeLessThanOrEqual(CRASHES * AT_ONCE);
};
