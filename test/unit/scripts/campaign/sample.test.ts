import { beforeEach, describe, expect, it } from "vitest";
import type { Api } from "../../../../scripts/campaign/describe.ts";
import type { Admin } from "../../../../scripts/lib/team-service.ts";
import { sampleCampaign } from "../../../../scripts/start/sample-campaign.ts";

type Message = { subject: string; lmx: string; contentRevisionId: string };
type Campaign = { id: string; name: string; status: string; audienceSegmentId?: string };

let team: { campaigns: Campaign[]; segments: { id: string; name: string }[]; message: Message; imports: string[] };
let killAt: string | undefined;
beforeEach(() => {
  team = { campaigns: [], segments: [], message: { subject: "", lmx: "", contentRevisionId: "rev_1" }, imports: [] };
  killAt = undefined;
});

const step = (name: string) => {
  if (name === killAt) throw new Error("killed");
};

const imports: Admin = async <T>(method: string, path: string, body?: object) => {
  if (body instanceof Blob) team.imports.push(await body.text());
  if (path.endsWith("/start")) step("start");
  return { id: "imp_1", mapping: { email: "email" }, state: method === "GET" ? "done" : "ready" } as T;
};
const campaigns: Admin = async <T>() => ({ pagination: { nextCursor: null }, data: team.campaigns }) as T;
const api = {
  audienceSegments: {
    list: async () => ({ data: team.segments }),
    create: async (segment: { name: string }) => {
      step("segment");
      team.segments.push({ id: "seg_1", ...segment });
      return team.segments[0];
    },
  },
  campaigns: {
    get: async () => ({ emailMessageId: "msg_1" }),
    create: async (campaign: { name: string }) => {
      step("campaign");
      team.campaigns.push({ id: "cmp_1", status: "Draft", ...campaign });
      return team.campaigns[0];
    },
  },
  emailMessages: {
    get: async () => team.message,
    update: async (message: Message) => {
      step("message");
      team.message = message;
    },
  },
} as unknown as Api;
const start = () => sampleCampaign({ campaigns, imports, api }, (line) => `npm run ${line}`);

const DRAFT = 'New this month: Draft   npm run campaign -- send "New this month"';

describe("the sample campaign of npm start", () => {
  it("is a draft for a segment of invented people, made once", async () => {
    expect(await start()).toBe(DRAFT);
    const first = structuredClone(team);
    expect(await start()).toBe(DRAFT);
    expect(team).toEqual(first);
    expect(team.campaigns).toEqual([
      { id: "cmp_1", name: "New this month", status: "Draft", audienceSegmentId: "seg_1" },
    ]);
    expect(team.imports).toHaveLength(1);
    expect(team.imports[0]?.trim().split("\n").slice(1)).toHaveLength(12);
    expect(team.message).toMatchObject({
      emailMessageId: "msg_1",
      expectedRevisionId: "rev_1",
      fromName: "Acme",
      fromEmail: "hello",
      subject: "New this month, {contact.firstName}",
      contactPropertiesFallbacks: { firstName: "all in one mail" },
    });
  });

  it.each(["start", "segment", "campaign", "message"])(
    "is finished where an earlier start was killed at %s",
    async (at) => {
      killAt = at;
      await expect(start()).rejects.toThrow("killed");
      killAt = undefined;
      expect(await start()).toBe(DRAFT);
      expect([team.campaigns.length, team.segments.length]).toEqual([1, 1]);
      expect(team.message.lmx).toContain("<H1>");
    },
  );

  it("stays as a person left it: edited, or sent", async () => {
    await start();
    team.message = { subject: "Ours", lmx: "", contentRevisionId: "rev_2" };
    expect(await start()).toBe(DRAFT);
    expect(team.message.subject).toBe("Ours");
    team.campaigns = [{ id: "cmp_1", name: "New this month", status: "Sent" }];
    expect(await start()).toBe('New this month: Sent   npm run campaign -- results "New this month"');
  });

  it("is not made for a team that has another campaign", async () => {
    team.campaigns = [{ id: "cmp_9", name: "Ours", status: "Draft" }];
    expect(await start()).toBe("none: the team has others   npm run campaign");
    expect([team.campaigns.length, team.imports.length]).toEqual([1, 0]);
  });
});
