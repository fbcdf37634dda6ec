import { join } from "node:path";
import { askToEnd } from "../../src/lib/contract/admin/to-end.ts";
import { ADMIN_TOKEN, ask } from "../ask.ts";
import { until } from "../outbox/report.ts";
import { type How, type Sink, startSender } from "../sending/start.ts";
import { documentOf } from "../sending/team.ts";
import { newTeam } from "../workflows/team.ts";

const NAMES = [
  "contact.firstName} {contact.lastName",
  "contact.company",
  "contact.country",
  "contact.plan",
  "contact.seats",
  "contact.lifetimeValue",
  "contact.trial",
  "contact.email",
  "contact.userId",
];
/** `seats`: upper bound, of 50. */
const audienceOf = (seats: number) => ({
  match: "all",
  conditions: [
    { type: "property", key: "lifetimeValue", operator: "lessThan", value: 1_000 },
    { type: "property", key: "seats", operator: "lessThan", value: seats },
  ],
});
const MAILERS = 4;

/** Starts the email Worker with a team, contacts and a template. */
export const startTeam = async (sink: Sink, how: Pick<How, "isSigned" | "inspectorPort">, contacts: number) => {
  const worker = await startSender(sink, {
    mailers: MAILERS,
    ...how,
    worker: join(import.meta.dirname, "../workflows/worker.ts"),
  });
  const team = await newTeam(worker, "campaigns");
  await team.post("/contacts/create", { email: "second@example.com", company: "x", lifetimeValue: 5_000 });
  await team.addContacts(contacts);
  const { id, draftEmailMessageId } = await team.post("/transactional-emails", { name: "Code" });
  const code = {
    subject: "Your code",
    fromName: "Acme",
    fromEmail: "hello",
    lmx: "<Style />\n<Paragraph>{data.code}</Paragraph>",
  };
  await team.post(`/email-messages/${draftEmailMessageId}`, code);
  await team.post(`/transactional-emails/${id}/publish`, {});
  return {
    ...team,
    worker,
    send: (email: string) => team.post("/transactional", { transactionalId: id, email, dataVariables: { code: "1" } }),
    newCampaign: (seats = 50) => newCampaign(worker.url, team, seats),
  };
};
export type Team = Awaited<ReturnType<typeof startTeam>>;

type Delivery = { state: string; queued: number; sent: number; finishedAt: string | null } & Record<
  "recipients" | "cancelled" | "skipped" | "failed" | "unknown",
  number
>;

const newCampaign = async (url: string, { id, get, post, sql }: Awaited<ReturnType<typeof newTeam>>, seats: number) => {
  const { id: campaign, emailMessageId } = await post("/campaigns", {
    name: "Spring sale",
    audienceFilter: audienceOf(seats),
  });
  const lmx = documentOf((n) => NAMES[n] ?? "contact.firstName");
  const fields = { subject: "For you, {contact.firstName}", fromName: "Acme", fromEmail: "hello", lmx };
  await post(`/email-messages/${emailMessageId}`, fields);
  const operate = (what: string, body?: object) =>
    ask("POST", `${url}/admin/teams/${id}/campaigns/${campaign}/${what}`, ADMIN_TOKEN, body);
  const delivery = async (): Promise<Delivery> => (await get(`/campaigns/${campaign}`)).delivery;
  return {
    operate,
    delivery,
    /** The row number that the snapshot has reached. */
    cursor: async (): Promise<number> =>
      (await sql("SELECT snapshot_cursor AS at FROM campaigns WHERE id = ?", campaign))[0]?.at ?? 0,
    send: async (expected: number) => {
      await askToEnd((more) => operate("estimate", { exact: true, ...more }));
      return operate("send", { expected });
    },
    finished: (ms: number) =>
      until("the campaign ends", async () => typeof (await delivery()).finishedAt === "string", ms),
  };
};
