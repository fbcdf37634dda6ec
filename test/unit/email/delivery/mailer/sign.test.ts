import { describe, expect, it } from "vitest";
import { createFinish } from "../../../../../src/email/delivery/mailer/sign.ts";
import { mailSender } from "../../../../../src/email/delivery/senders/compose-and-send.ts";
import { generateDkimKey } from "../../../../../src/email/mail/mime/dkim/keys.ts";
import { sealKey } from "../../../../../src/email/mail/mime/dkim/seal.ts";
import type { Message, MessageSender } from "../../../../../src/email/types/mail-handover.ts";
import { dkimKeyOwner, type SigningKey } from "../../../../../src/email/types/mailer-rpc.ts";
import { isValidDkim, tagsOf } from "../../../../dkim.ts";
import { mail } from "../../mail/mime/mails.ts";

const MINUTE = 60_000;
const TEAM = "acme";
const ONE = mail({ messageId: "<snd_1@acme.example>", from: { address: "hello@acme.example" } });

const make = async (selector: string) => {
  const { pkcs8, publicKey } = await generateDkimKey();
  return { selector, publicKey, sealedKey: await sealKey(pkcs8, "secret", dkimKeyOwner(TEAM, selector)) };
};
const keys = [await make("s1"), await make("s2")];
const keyOf = (n: number, more: Partial<SigningKey> = {}): SigningKey => {
  const { selector = "", sealedKey = "" } = keys[n] ?? {};
  return { selector, sealedKey, ...more };
};

const setUp = (
  answers: (SigningKey | undefined | Error)[],
  mailProvider: Partial<MessageSender> = {},
  secrets = ["secret"],
) => {
  const sent: Message[] = [];
  const world = { now: 0, asked: [] as string[] };
  const finish = createFinish({
    team: TEAM,
    secrets,
    now: () => world.now,
    tokenOf: async () => "acme_1_abcdefghijkl",
    signingKey: async (domain) => {
      world.asked.push(domain);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return answer;
    },
  });
  const send = async (message: Message) => {
    sent.push(message);
    return { outcome: "accepted" } as const;
  };
  const sender = mailSender({ sender: { name: "smtp", ...mailProvider, send } }, finish);
  if (!sender) throw new Error("no sender");
  return { sender, sent, world };
};
const text = (message: Message | undefined) => Buffer.from(message?.raw ?? []).toString("latin1");
const fieldIn = (message: string | undefined, name: string) =>
  new RegExp(`^${name}: ?((?:.|\\r\\n[ \\t])*)`, "m")
    .exec(message ?? "")?.[1]
    ?.replace(/\r\n[ \t]/g, " ")
    .trim();

describe("mail for a relay", () => {
  it("is signed with the key of its domain, the same on every attempt", async () => {
    const { sender, sent } = setUp([keyOf(0)]);
    for (let attempt = 0; attempt < 2; attempt++) expect(await sender.send(ONE)).toEqual({ outcome: "accepted" });
    expect(tagsOf(text(sent[0]))).toMatchObject({ d: "acme.example", s: "s1" });
    expect(isValidDkim(text(sent[0]), keys[0]?.publicKey ?? "")).toBe(true);
    expect(text(sent[1])).toBe(text(sent[0]));
  });

  it("has its return path on the envelope subdomain if there is one, else it is the From address", async () => {
    const { sender, sent } = setUp([keyOf(0, { envelope: "envelope.acme.example" })]);
    await sender.send(ONE);
    expect(sent[0]?.envelope.from).toBe("bounce+acme_1_abcdefghijkl@envelope.acme.example");
    const without = setUp([keyOf(0)]);
    await without.sender.send(ONE);
    expect(without.sent[0]?.envelope.from).toBe("hello@acme.example");
  });

  it("names addresses for complaints and to leave on the envelope subdomain, under its signature", async () => {
    const { sender, sent } = setUp([keyOf(0, { envelope: "envelope.acme.example" })]);
    const marketing = {
      ...ONE,
      class: "marketing",
      origin: "cmp_1",
      listId: "acme.acme.example",
      unsubscribeUrl: "https://mail.example.com/u/sealed-token",
    } as const;
    await sender.send(marketing);
    await sender.send(ONE);
    const [of, ofTransactional] = sent.map(text);
    expect(fieldIn(of, "CFBL-Address")).toBe("bounce+acme_1_abcdefghijkl@envelope.acme.example; report=arf");
    expect(fieldIn(ofTransactional, "CFBL-Address")).toBe(fieldIn(of, "CFBL-Address"));
    expect(fieldIn(of, "List-Unsubscribe")).toBe(
      "<https://mail.example.com/u/sealed-token>, <mailto:leave+acme_1_abcdefghijkl@envelope.acme.example?subject=sealed-token>",
    );
    expect(fieldIn(of, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
    expect(fieldIn(of, "Feedback-ID")).toBe("cmp_1:marketing:acme:mailspan");
    expect(fieldIn(ofTransactional, "List-Unsubscribe")).toBeUndefined();
    expect(fieldIn(ofTransactional, "Feedback-ID")).toBe("transactional:acme:mailspan");
    const signed = (tagsOf(of ?? "").h ?? "").split(":");
    for (const name of ["CFBL-Address", "Feedback-ID", "List-Unsubscribe"])
      expect(signed.filter((one) => one === name)).toHaveLength(2);
    expect(isValidDkim(of ?? "", keys[0]?.publicKey ?? "")).toBe(true);
    expect(isValidDkim(`CFBL-Address: x@evil.example\r\n${of}`, keys[0]?.publicKey ?? "")).toBe(false);
  });

  it("without an envelope subdomain has no address that mail cannot reach", async () => {
    const { sender, sent } = setUp([keyOf(0)]);
    await sender.send({ ...ONE, class: "marketing", listId: "a.example", unsubscribeUrl: "https://x.example/u/1" });
    expect(fieldIn(text(sent[0]), "CFBL-Address")).toBeUndefined();
    expect(fieldIn(text(sent[0]), "List-Unsubscribe")).toBe("<https://x.example/u/1>");
  });

  it("is signed without the fields that the mail provider replaces, and not at all where the mail provider signs", async () => {
    const ses = setUp([keyOf(0)], { replaces: ["Message-ID", "Date"] });
    await ses.sender.send(ONE);
    const withMailProvider = text(ses.sent[0]).replace(/^Message-ID: .*$/m, "Message-ID: <0100@email.amazonses.com>");
    expect(isValidDkim(withMailProvider.replace(/^Date: .*$/m, "Date: now"), keys[0]?.publicKey ?? "")).toBe(true);
    const cloudflare = setUp([keyOf(0)], { signs: true });
    await cloudflare.sender.send(ONE);
    expect(text(cloudflare.sent[0])).not.toContain("DKIM-Signature");
    expect(cloudflare.world.asked).toEqual([]);
  });

  it("asks for a key once in five minutes, and then uses the new one", async () => {
    const { sender, sent, world } = setUp([keyOf(0), keyOf(1)]);
    await Promise.all([sender.send(ONE), sender.send(ONE)]);
    world.now = 5 * MINUTE - 1;
    await sender.send(ONE);
    expect(world.asked).toEqual(["acme.example"]);
    world.now = 5 * MINUTE;
    await sender.send(ONE);
    expect(world.asked.length).toBe(2);
    expect(sent.map((message) => tagsOf(text(message)).s)).toEqual(["s1", "s1", "s1", "s2"]);
  });

  it.each<[string, SigningKey | undefined | Error, string[], string]>([
    [
      "of a domain that the team does not have",
      undefined,
      ["secret"],
      "acme.example is no sending domain of this team",
    ],
    [
      "whose key was encrypted with another secret",
      keyOf(0),
      ["other"],
      "The DKIM key of acme.example cannot be decrypted",
    ],
    ["when there is no secret", keyOf(0), [], "The DKIM key of acme.example cannot be decrypted"],
    [
      "when the Workspace does not answer",
      new Error("broken pipe"),
      ["secret"],
      "The mail could not be signed: broken pipe",
    ],
  ])("is never sent unsigned: %s", async (_what, answer, secrets, message) => {
    const { sender, sent } = setUp([answer, keyOf(0)], {}, secrets);
    expect(await sender.send(ONE)).toEqual({
      outcome: "deferred",
      configuration: true,
      local: true,
      message: expect.stringContaining(message),
    });
    expect(sent).toEqual([]);
    const repaired = secrets[0] === "secret";
    expect(await sender.send(ONE)).toMatchObject({ outcome: repaired ? "accepted" : "deferred" });
  });
});
