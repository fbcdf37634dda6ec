import type { StoryCall, StoryMail, StoryWebhook } from "./types.ts";
import { type Verdict, verdictOfCalls, verdictOfMail, worst } from "./verdict.ts";

/** Something else that happened to a contact. `ids`: of what it is about, such as a send or an event. */
export type Moment = { at: string; kind: string; text: string; ids: readonly string[] };

/** A call with the mail and the moments that it caused. They are joined by the id that the host returned, not by a guess. */
type Told = { call: StoryCall; mail?: StoryMail; moments: Moment[] };

/** One chapter: a webhook with all that followed from it, a mail that no webhook caused, or a moment of the contact. */
export type Chapter = { id: string; at: string; title: string; verdict: Verdict; moments: Moment[] } & (
  | { kind: "webhook"; webhook: StoryWebhook; calls: Told[] }
  | { kind: "mail"; mail: StoryMail }
  | { kind: "moment" }
);

type Halves = {
  webhooks: readonly StoryWebhook[];
  mails: readonly StoryMail[];
  moments?: readonly Moment[];
};

/** What a mail is, in words. */
export const nameOfMail = ({ template, campaign, workflow, class: mailClass }: StoryMail): string => {
  if (template) return `Mail "${template.name}"`;
  if (campaign) return `Mail of the campaign "${campaign.name}"`;
  return workflow ? `Mail of the workflow "${workflow.name}"` : `${mailClass === "marketing" ? "Marketing" : "A"} mail`;
};

/** Kinds of moments that a mail of the story tells, where it is there. */
const OF_A_MAIL: ReadonlySet<string> = new Set(["send", "notSent"]);

/**
 * The moments that no mail of the story tells: a mail whose row is deleted, one to an address that is not known, one that a campaign did not
 * send. `isWhole`: all mails are read; before that, a step of a mail waits for its mail.
 */
export const untold = (moments: readonly Moment[], mails: readonly StoryMail[], isWhole: boolean): Moment[] => {
  const told = new Set(mails.map(({ id }) => id));
  return moments.filter(({ kind, ids }) => {
    const send = ids.find((id) => id.startsWith("snd_"));
    return !OF_A_MAIL.has(kind) || send === undefined || (isWhole && !told.has(send));
  });
};

/** One story of a person over both halves, newest chapter first. */
export const storyOf = ({ webhooks, mails, moments = [] }: Halves): Chapter[] => {
  const mailById = new Map(mails.map((mail) => [mail.id, mail]));
  const caused = new Set(webhooks.flatMap(({ calls }) => calls.flatMap(({ result }) => result ?? [])));
  const of = (id: string | undefined) => (id === undefined ? [] : moments.filter(({ ids }) => ids.includes(id)));
  const told = [
    ...webhooks.map((webhook) => chapterOfWebhook(webhook, mailById, of)),
    ...mails.filter(({ id }) => !caused.has(id)).map((mail) => chapterOfMail(mail, of(mail.id))),
  ];
  const used = new Set(told.flatMap(momentsIn));
  const alone = moments.filter((moment) => !used.has(moment)).map(chapterOfMoment);
  return [...told, ...alone].sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
};

const momentsIn = (chapter: Chapter): Moment[] => [
  ...chapter.moments,
  ...(chapter.kind === "webhook" ? chapter.calls.flatMap((one) => one.moments) : []),
];

const chapterOfWebhook = (
  webhook: StoryWebhook,
  mailById: ReadonlyMap<string, StoryMail>,
  of: (id: string | undefined) => Moment[],
): Chapter => {
  const calls = webhook.calls.map((call): Told => {
    const mail = call.result === undefined ? undefined : mailById.get(call.result);
    return { call, ...(mail ? { mail } : {}), moments: of(call.result) };
  });
  const verdict = worst([verdictOfCalls(webhook), ...calls.flatMap(({ mail }) => (mail ? [verdictOfMail(mail)] : []))]);
  const title = `${webhook.type} from ${webhook.source}`;
  return { kind: "webhook", id: webhook.id, at: webhook.acceptedAt, title, verdict, webhook, calls, moments: [] };
};

const chapterOfMail = (mail: StoryMail, moments: Moment[]): Chapter => ({
  kind: "mail",
  id: mail.id,
  at: mail.acceptedAt,
  title: nameOfMail(mail),
  verdict: verdictOfMail(mail),
  mail,
  moments,
});

const chapterOfMoment = (moment: Moment): Chapter => ({
  kind: "moment",
  id: `${moment.at} ${moment.kind} ${moment.ids.join(" ")}`,
  at: moment.at,
  title: moment.text,
  verdict: { code: "none", tone: "quiet", text: "" },
  moments: [moment],
});
