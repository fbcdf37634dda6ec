import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../../src/email/env.ts";
import worker from "../../../../../../src/email/index.ts";
import { bindings, createTeam, handedOver, isolated, type Team } from "../../../bench.ts";

isolated();

const ADDRESS = "ada@example.com";
const DOMAIN = "mail.acme.example";
const ID = "0101018f7d0c4d9a-msg-1";
const env = bindings as unknown as Env;

let team: Team;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
  await team.admin("POST", "/domains", { name: DOMAIN });
});

const sent = async (reply: string = ID): Promise<number> => {
  const mail = { transactionalId: "tpl_welcome", email: ADDRESS, dataVariables: { name: "Ada" } };
  await team.post("/transactional", mail);
  await handedOver();
  const n = Number((await team.rows("SELECT max(n) AS n FROM sends"))[0]?.n);
  await team.rows(`UPDATE sends SET sender = 'cloudflare', reply = '${reply}' WHERE n = ${n}`);
  return n;
};
const stateOf = async (n: number) => (await team.rows(`SELECT state FROM sends WHERE n = ${n}`))[0]?.state;
const suppressed = () => team.rows("SELECT email_key, reason FROM suppressions");

const event = (type: string, payload: object = {}) => ({
  type: `cf.email.sending.message.${type}`,
  source: { type: "email.sending", domain: DOMAIN },
  payload: { eventId: "e1", messageId: ID, sender: `hello@${DOMAIN}`, recipient: ADDRESS, ...payload },
  metadata: { eventTimestamp: new Date().toISOString() },
});
const BOUNCED = event("bounced", { delivery: { smtpResponse: "550 5.1.1 User unknown" }, bounce: { type: "hard" } });

/** Returns the end of each event: `ack`, or the seconds until it comes again. */
const arrive = async (bodies: readonly unknown[], { attempts = 1, on = env } = {}) => {
  const ends: (string | number)[] = [];
  const end = (place: number, how: string | number) => ends.splice(place, 1, how);
  ends.push(...bodies.map(() => "left"));
  const messages = bodies.map((body, place) => ({
    body,
    attempts,
    ack: () => void end(place, "ack"),
    retry: ({ delaySeconds = 0 }: { delaySeconds?: number } = {}) => void end(place, delaySeconds),
  }));
  await worker.queue({ messages } as unknown as MessageBatch, on);
  return ends;
};

describe("the delivery events of Cloudflare Email Service", () => {
  it("suppress the address of a hard bounce, once", async () => {
    const n = await sent();
    expect(await arrive([BOUNCED, BOUNCED])).toEqual(["ack", "ack"]);
    expect(await stateOf(n)).toBe("bounced");
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "bounce" }]);
    const [{ history } = { history: "" }] = await team.rows(`SELECT history FROM sends WHERE n = ${n}`);
    expect(String(history).match(/"via":"cloudflare"/g)).toHaveLength(1);
  });

  it("suppress after a complaint", async () => {
    const n = await sent(`<${ID}>`);
    expect(await arrive([event("delivered"), event("complained")])).toEqual(["ack", "ack"]);
    expect(await stateOf(n)).toBe("complained");
    expect(await suppressed()).toEqual([{ email_key: ADDRESS, reason: "complaint" }]);
  });

  it("find their mail among others to the address, in any letter case of the address", async () => {
    const n = await sent();
    const other = await sent("another-id");
    expect(await arrive([event("delivered", { recipient: "Ada@Example.com" })])).toEqual(["ack"]);
    expect([await stateOf(n), await stateOf(other)]).toEqual(["delivered", "sent"]);
  });

  it("come again while no mail is known, and are given up after five times", async () => {
    await sent("another-id");
    expect(await arrive([BOUNCED])).toEqual([60]);
    expect(await arrive([BOUNCED], { attempts: 5 })).toEqual(["ack"]);
    expect(await suppressed()).toEqual([]);
  });

  it("change nothing for the mail of another sender, or another recipient", async () => {
    const n = await sent();
    expect(await arrive([event("bounced", { recipient: "eve@example.com" })], { attempts: 5 })).toEqual(["ack"]);
    await team.rows("UPDATE sends SET sender = 'smtp'");
    expect(await arrive([BOUNCED], { attempts: 5 })).toEqual(["ack"]);
    expect(await stateOf(n)).toBe("sent");
  });

  it("of a domain of no team, or of another form, are acknowledged", async () => {
    const n = await sent();
    const elsewhere = { ...BOUNCED, source: {}, payload: { ...BOUNCED.payload, sender: "hello@other.example" } };
    expect(await arrive([elsewhere, null, "text", { type: 5 }])).toEqual(["ack", "ack", "ack", "ack"]);
    expect(await stateOf(n)).toBe("sent");
  });

  it("are read ten at a time", async () => {
    const n = await sent();
    const events = Array.from({ length: 12 }, () => BOUNCED);
    expect(await arrive(events)).toEqual([...Array(10).fill("ack"), 0, 0]);
    expect(await stateOf(n)).toBe("bounced");
  });

  it("come again if the object of the team fails, and the others are stored", async () => {
    const n = await sent();
    const failing = {
      ...env,
      WORKSPACE: {
        getByName: () => ({
          feedbackOfTaken: () => Promise.reject(new Error("reset")),
        }),
      },
    } as unknown as Env;
    expect(await arrive([BOUNCED, null], { on: failing })).toEqual([60, "ack"]);
    expect(await arrive([BOUNCED, null])).toEqual(["ack", "ack"]);
    expect(await stateOf(n)).toBe("bounced");
  });
});
