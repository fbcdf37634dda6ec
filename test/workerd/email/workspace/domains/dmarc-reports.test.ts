import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../src/email/env.ts";
import { bounceAddress, tokenOf } from "../../../../../src/email/mail/bounces/return-path-token.ts";
import { receiveMail } from "../../../../../src/email/mail-in.ts";
import { gzip, mailWith, xmlOf } from "../../../../unit/email/mail/dmarc-reports/reports.ts";
import { advance, bindings, createTeam, isolated, runAlarm, START, type Team } from "../../bench.ts";

isolated();

const env = bindings as unknown as Env;
const DAY = 86_400_000;
const BEGIN = Math.floor((START - DAY) / DAY) * 86_400;
const ON = new Date(BEGIN * 1_000).toISOString().slice(0, 10);

let team: Team;
let id: string;
beforeEach(async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam();
  id = String((await team.admin("POST", "/domains", { name: "mail.acme.example" })).json.id);
});

type Reports = { address: string; message: string; days: Record<string, unknown>[] };
const shown = async () => (await team.admin("GET", `/domains/${id}/reports`)).json as unknown as Reports;

const report = (records: Parameters<typeof xmlOf>[0], about: Parameters<typeof xmlOf>[1] = {}) =>
  mailWith(gzip(xmlOf(records, { begin: BEGIN, ...about })), "application/gzip", "receiver!acme!1!2.xml.gz");

/** Returns the number of chunks that were read. */
const arrives = async (mail: string, to?: string): Promise<number> => {
  let pulled = 0;
  const raw = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled += 1;
        controller.enqueue(new TextEncoder().encode(mail));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  await receiveMail({ to: to ?? (await shown()).address, raw, setReject: () => {} }, env);
  return pulled;
};

describe("the DMARC reports of a domain", () => {
  it("are added up by day, source and result, and say what fails and since when", async () => {
    expect(await shown()).toMatchObject({ message: "No DMARC report has come in the last 30 days.", days: [] });
    const failed = { source: "192.0.2.9", dkim: "fail", spf: "fail", disposition: "quarantine" };
    await arrives(report([{ count: 5 }, { count: 2 }, { ...failed, count: 3 }]));
    await arrives(report([{ count: 1 }, { count: 9, from: "acme.example" }], { id: "r2" }));
    const { message, days } = await shown();
    expect(days).toEqual([
      { day: ON, source: "192.0.2.1", dkim: true, spf: true, disposition: "none", mails: 8 },
      { day: ON, source: "192.0.2.9", dkim: false, spf: false, disposition: "quarantine", mails: 3 },
    ]);
    expect(message).toBe(
      `3 mails of 11 failed DMARC since ${ON}: neither DKIM nor SPF of this domain passed. 3 put into spam. All came from 192.0.2.9.`,
    );
  });

  it("count once, also if they come again", async () => {
    await arrives(report([{ count: 5 }]));
    await arrives(report([{ count: 5 }]));
    await arrives(report([{ count: 1 }], { organization: "Other" }));
    expect((await shown()).days).toMatchObject([{ mails: 6 }]);
  });

  it("that are too large, or cannot be read, are named in the sentence", async () => {
    await arrives(mailWith("<html></html>", "text/xml", "x.xml"));
    await arrives(mailWith("<html></html>", "text/xml", "x.xml"));
    await arrives(mailWith("x", "image/png", "x.png"));
    const today = new Date(START).toISOString().slice(0, 10);
    const unread = `The last mail with a file that could not be read came on ${today}: its report has another form.`;
    expect((await shown()).message).toBe(`No DMARC report has come in the last 30 days. ${unread}`);
    await arrives(report(Array.from({ length: 1_001 }, () => ({ count: 1 }))));
    const cut = "1 report was too large: only the beginning counts.";
    expect((await shown()).message).toBe(`All 1000 mails in the reports passed DMARC. ${cut} ${unread}`);
    expect(await team.rows("SELECT domain, cut FROM dmarc_reports ORDER BY domain")).toEqual([
      { domain: "", cut: 0 },
      { domain: "mail.acme.example", cut: 1 },
    ]);
  });

  it("of another time or another domain add nothing", async () => {
    await arrives(report([{ count: 5 }], { begin: BEGIN - 40 * 86_400 }));
    await arrives(report([{ count: 5 }], { begin: BEGIN + 5 * 86_400 }));
    await arrives(report([{ count: 5, from: "mail.other.example" }]));
    expect(await team.rows("SELECT * FROM dmarc_reports")).toEqual([]);
    expect((await shown()).days).toEqual([]);
  });

  it("of a stranger without the address are not read", async () => {
    const { address } = await shown();
    const mail = report([{ count: 5 }]);
    const forged = address.replace(/.@/, (end) => (end === "a@" ? "b@" : "a@"));
    const send = await tokenOf({ team: "acme", n: 5 }, bindings.API_KEY_SECRET);
    expect(await arrives(mail, forged)).toBe(0);
    expect(await arrives(mail, `dmarc+${send}@envelope.mail.acme.example`)).toBe(0);
    expect(await arrives(mail, "dmarc+x@envelope.mail.acme.example")).toBe(0);
    await arrives(mail, bounceAddress(await tokenOf({ team: "acme", n: 0 }, bindings.API_KEY_SECRET), "x.example"));
    expect((await shown()).days).toEqual([]);
    expect(await arrives(mail, address.toUpperCase())).toBe(1);
    expect((await shown()).days).toHaveLength(1);
  });

  it("have a bound of sources and reports a day", async () => {
    const many = Array.from({ length: 150 }, (_, n) => ({ source: `10.0.0.${n}`, count: 150 - n }));
    await arrives(report(many));
    await arrives(report([{ source: "198.51.100.1", count: 1_000 }], { id: "r2" }));
    const { days } = await shown();
    expect(days).toHaveLength(101);
    expect(days.find(({ source }) => source === "others")).toMatchObject({ mails: 1_000 + (50 * 51) / 2 });
    for (let n = 0; n < 98; n++)
      await team.rows(
        `INSERT INTO dmarc_reports (day, domain, id) VALUES (${BEGIN / 86_400}, 'mail.acme.example', 'x${n}')`,
      );
    await arrives(report([{ count: 7 }], { id: "r3" }));
    expect((await shown()).days).toEqual(days);
  });

  it("end after 30 days", async () => {
    await arrives(report([{ count: 5 }]));
    advance(32 * DAY);
    await runAlarm(team.stub);
    for (const table of ["dmarc_days", "dmarc_reports"]) expect(await team.rows(`SELECT * FROM ${table}`)).toEqual([]);
  });

  it("of an unknown domain are 404", async () => {
    expect(await team.admin("GET", "/domains/dom_x/reports")).toMatchObject({
      status: 404,
      json: { code: "domain_not_found" },
    });
  });
});
