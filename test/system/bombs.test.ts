import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bounceAddress, tokenOf } from "../../src/email/mail/bounces/return-path-token.ts";
import { BOMBS } from "../mail-door/bombs.ts";
import { startDoor } from "../mail-door/door.ts";

// Mails from strangers that cost a parser far more than their bytes, at the mail-in door in a real workerd.

let door: Awaited<ReturnType<typeof startDoor>>;
let ours = "";
const STRANGE = "bounce+acme_1_aaaaaaaaaaaa@envelope.example.com";

/** An ordinary report at the limits: its words have as many lines as a parser may read. */
const ORDINARY = `From: mailer-daemon@example.com\r\nSubject: failure notice\r\n\r\n<ada@example.com>:\r\n550 5.1.1 User unknown\r\n${"It was your mail.\r\n".repeat(4_990)}`;

/** Bytes of one bomb, and of all: workerd frees memory late. */
const MOST_MEMORY = 20_000_000;
const MOST_OF_ALL = 150_000_000;

const best = async (to: string, mail: string, times = 3): Promise<number> => {
  const taken: number[] = [];
  for (let n = 0; n < times; n++) taken.push((await door.deliver(to, mail)).ms);
  return Math.min(...taken);
};

beforeAll(async () => {
  door = await startDoor();
  ours = bounceAddress(await tokenOf({ team: "acme", n: 1 }, door.secret), "envelope.example.com");
  for (let n = 0; n < 20; n++) for (const to of [ours, STRANGE]) await door.deliver(to, ORDINARY);
});
afterAll(() => door?.stop());

describe.each([
  ["with a valid return path", () => ours],
  ["with a forged return path", () => STRANGE],
  ["to nobody", () => "nobody@envelope.example.com"],
])("a bomb %s", (_, to) => {
  it("costs hardly more than an ordinary report, and no memory", async () => {
    const ordinary = await best(ours, ORDINARY, 5);
    const before = door.memory();
    const found: string[] = [];
    for (const [name, mail] of Object.entries(BOMBS)) {
      const held = door.memory();
      const ms = await best(to(), mail);
      const grown = door.memory() - held;

      if (ms > 15 * ordinary + 30)
        found.push(`${name}: ${ms.toFixed(1)} ms, an ordinary report ${ordinary.toFixed(1)} ms`);
      if (grown > MOST_MEMORY) found.push(`${name}: ${grown} bytes of memory`);
    }
    expect(found).toEqual([]);
    expect(door.memory() - before).toBeLessThan(MOST_OF_ALL);
  });

  it("is rejected only if it names no mail of ours", async () => {
    const { rejected } = await door.deliver(to(), BOMBS.dashes ?? "");
    expect(rejected).toBe(to().startsWith("nobody@") ? "This address takes bounces only." : "");
  });
});
