import { until } from "../../system/mailspan.ts";
import type { Service } from "../crash-sending/service.ts";
import type { Team } from "../crash-sending/team.ts";

const LMX = "<Style />\n<Paragraph>Hello {contact.firstName}, see what is new.</Paragraph>";
const AUDIENCE = { match: "all", conditions: [{ type: "property", key: "plan", operator: "equals", value: "pro" }] };

const isOther = (n: number): boolean => n % 10 === 7;
const hasLeft = (n: number): boolean => n % 50 === 3;

export const addressOf = (n: number): string => `p${n}@example.com`;

type Progress = {
  state: string;
  recipients: number;
  queued: number;
  sent: number;
  skipped: number;
  failed: number;
  unknown: number;
  cancelled: number;
  finishedAt: string | null;
};
export type Status = {
  status: string;
  progress: Progress | null;
  inLedger: number;
  retry: { done: boolean } | null;
};
export type Recipient = { email: string; state: string };

/**
 * Imports contacts until `recipients` of them can get a campaign for the plan "pro". Returns recipients and skipped
 * contacts.
 */
export const importContacts = async (team: Team, url: string, token: string, recipients: number) => {
  const [people, left]: [string[], string[]] = [[], []];
  let file = "email,firstName,plan,subscribed\n";
  for (let n = 0; people.length < recipients; n++) {
    file += `${addressOf(n)},Person ${n},${isOther(n) ? "free" : "pro"},${hasLeft(n) ? "no" : "yes"}\n`;
    if (!isOther(n)) (hasLeft(n) ? left : people).push(addressOf(n));
  }
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "text/csv" };
  const response = await fetch(`${url}/admin/teams/crash/imports`, { method: "POST", body: file, headers });
  const { id, mapping } = (await response.json()) as { id: string; mapping: object };
  const settings = { mapping: { ...mapping, plan: "plan" }, createProperties: { plan: "string" } };
  await team.operate("POST", `/imports/${id}/start`, settings);
  await until(
    "the contacts are imported",
    async () => {
      const { state } = (await team.operate<{ state: string }>("GET", `/imports/${id}`)).body;
      return state === "done" || undefined;
    },
    120_000,
  );
  return { people, left };
};

/** A draft for all contacts with the plan "pro", and functions that operate it. */
export const createCampaign = async (team: Team, { seen }: Pick<Service, "seen">, subject: string) => {
  const { id, emailMessageId } = await team.post<{ id: string; emailMessageId: string }>("/campaigns", {
    name: subject,
    audienceFilter: AUDIENCE,
  });
  const fields = { subject, fromName: "Acme", fromEmail: "hello", lmx: LMX };
  await team.post(`/email-messages/${emailMessageId}`, fields);
  const path = (rest: string) => `/campaigns/${id}/${rest}`;
  const first = seen.mails.length;
  const status = async (): Promise<Status> => (await team.operate<Status>("GET", path("status"))).body;
  return {
    status,
    act: (what: "send" | "pause" | "resume" | "cancel" | "retry-unknown", body?: object) =>
      team.operate<{ code?: string }>("POST", path(what), body),
    count: async (): Promise<void> => {
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const asked: object = { exact: true, ...(cursor === undefined ? {} : { cursor }) };
        cursor = (await team.operate<{ next: string | null }>("POST", path("estimate"), asked)).body.next;
      }
    },
    arrived: () => seen.mails.length - first,
    copies: (): Map<string, number> => {
      const copies = new Map<string, number>();
      for (const { to } of seen.mails.slice(first)) copies.set(to[0] ?? "", (copies.get(to[0] ?? "") ?? 0) + 1);
      return copies;
    },
    recipients: (): Promise<Recipient[]> => team.recipients(path("recipients.csv")),
    ended: (ms: number): Promise<Progress> =>
      until(
        "the campaign has ended",
        async () => {
          const { progress, inLedger } = await status();
          return progress?.finishedAt && inLedger === 0 ? progress : undefined;
        },
        ms,
      ),
  };
};
export type Campaign = Awaited<ReturnType<typeof createCampaign>>;

/** The sum of a campaign's counts: its number of recipients at any time. */
export const sumOf = ({ queued, sent, skipped, failed, unknown, cancelled }: Progress): number =>
  queued + sent + skipped + failed + unknown + cancelled;
