import { env as ofObjects } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../../src/email/env.ts";
import { tokenOf, unsubscribeAddress } from "../../../../../../src/email/mail/bounces/return-path-token.ts";
import { receiveMail } from "../../../../../../src/email/mail-in.ts";
import { bindings, createTeam, isolated, type Team } from "../../../bench.ts";
import { accept, addMarketingMessage, sendTo } from "../../../marketing.ts";

isolated();

const ADA = "ada@example.com";
const SECRET = (ofObjects as unknown as Env).API_KEY_SECRET ?? "";
const env = { ...bindings, API_KEY_SECRET: SECRET } as unknown as Env;

let team: Team;
let list: string;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  list = (await team.admin("POST", "/lists", { name: "News", visibility: "public" })).json.id;
  await team.post("/contacts/create", { email: ADA, mailingLists: { [list]: true } });
});

/** Sends a mail, and returns its address to unsubscribe and the token of its link. */
const send = async (options: { list?: string } = {}) => {
  await accept(team, await addMarketingMessage(team, "<Paragraph>Hi</Paragraph>"), ADA, options);
  const { headers } = await sendTo(team, ADA);
  const [, link = ""] = /\/u\/([\w-]+)>/.exec(headers["List-Unsubscribe"]) ?? [];
  const n = Number((await team.rows("SELECT max(n) AS n FROM sends"))[0]?.n);
  return { n, link, address: unsubscribeAddress(await tokenOf({ team: "acme", n }, SECRET), "envelope.example.com") };
};

const arrives = async (to: string, subject: string) => {
  const rejected: string[] = [];
  // The form of Apple Mail, without the words of the person.
  const mail = [
    `From: Ada <${ADA}>`,
    "Content-Type: text/plain; charset=us-ascii",
    `Subject: ${subject}`,
    "X-Apple-Unsubscribe: true",
    "Mime-Version: 1.0",
    `To: ${to}`,
    "",
    "Apple Mail sent this email to unsubscribe from the message.",
  ].join("\r\n");
  const raw = new Response(mail).body as ReadableStream<Uint8Array>;
  await receiveMail({ to, raw, setReject: (reason) => void rejected.push(reason) }, env);
  return rejected;
};
const contact = () => team.find({ email: ADA });
const isIn = async () => {
  const { subscribed, mailingLists } = await contact();
  return { team: subscribed, list: mailingLists[list] === true };
};

describe("a mail to the address in List-Unsubscribe", () => {
  it("unsubscribes from everything, and is in the story of the mail", async () => {
    const { address, link, n } = await send();
    expect(await arrives(address, link)).toEqual([]);
    expect(await contact()).toMatchObject({ subscribed: false });
    const story = await team.rows(
      `SELECT value->>'kind' AS kind FROM sends, json_each(history) WHERE n = ${n} AND kind = 'unsubscribed'`,
    );
    expect(story).toHaveLength(1);
    const before = await team.everything();
    await arrives(address, link);
    expect(await team.everything()).toBe(before);
  });

  it("leaves the list of the mail only", async () => {
    const { address, link } = await send({ list });
    await arrives(address, link);
    expect(await isIn()).toEqual({ team: true, list: false });
  });

  it.each(["unsubscribe", "", "Re: News", "x".repeat(500)])("needs no subject: %s", async (subject) => {
    const { address } = await send({ list });
    expect(await isIn()).toEqual({ team: true, list: true });
    await arrives(address.toUpperCase(), subject);
    expect(await isIn()).toEqual({ team: true, list: false });
  });

  it("is enough when the send is not kept any more, also with a folded subject", async () => {
    const { address, link, n } = await send();
    await team.run(`DELETE FROM sends WHERE n = ${n}`);
    await arrives(address, "unsubscribe");
    expect(await contact()).toMatchObject({ subscribed: true });
    await arrives(address, `\r\n ${link}`);
    expect(await contact()).toMatchObject({ subscribed: false });
  });

  it("changes nothing with a forged token, or for another mail", async () => {
    const { link, address } = await send();
    const before = await team.everything();
    const forged = unsubscribeAddress(await tokenOf({ team: "acme", n: 1 }, "another"), "envelope.example.com");
    expect(await arrives(forged, link)).toEqual([]);
    const strange = unsubscribeAddress(await tokenOf({ team: "acme", n: 1 }, SECRET), "envelope.example.com");
    expect(await arrives(strange, link)).toEqual([]);
    expect(await arrives(address.replace("leave+", "leaf+"), "unsubscribe")).toEqual([
      "This address takes bounces only.",
    ]);
    expect(await team.everything()).toBe(before);
  });

  it("subscribes nobody and unsubscribes nobody else, if the contact is gone", async () => {
    const { address, link } = await send();
    await team.post("/contacts/delete", { email: ADA });
    await team.post("/contacts/create", { email: ADA });
    await arrives(address, link);
    await arrives(address, "unsubscribe");
    expect(await contact()).toMatchObject({ subscribed: true });
  });
});
