import type { StoryDelivery, StoryMail, StoryWebhook } from "./story-types.ts";
import { type Verdict, verdictOfDeliveries, verdictOfMail, worst } from "./verdict.ts";

/** A contact's event. `ids` are of related objects. */
export type Moment = { at: string; kind: string; text: string; why: string | null; ids: readonly string[] };

/** A moment in one or two sentences. */
export const sentenceOf = ({ text, why }: Moment): string => (why === null ? text : `${text} ${why}`);

/** Results are joined by the email service's id. */
type Told = { delivery: StoryDelivery; mail?: StoryMail; moments: Moment[] };

/** A webhook with its results, a separate mail, or a moment. */
export type Chapter = { id: string; at: string; title: string; verdict: Verdict; moments: Moment[] } & (
  | { kind: "webhook"; webhook: StoryWebhook; deliveries: Told[] }
  | { kind: "mail"; mail: StoryMail }
  | { kind: "moment" }
);

type Halves = {
  webhooks: readonly StoryWebhook[];
  mails: readonly StoryMail[];
  moments?: readonly Moment[];
};

/** The subject of a mail with the names of its values, otherwise what sent it. */
export const nameOfMail = ({ subject, template, campaign, workflow, class: mailClass }: StoryMail): string => {
  if (subject) return subject.replaceAll(/\{\w+\.(\w+)\}/g, "{$1}");
  if (template) return `Mail "${template.name}"`;
  if (campaign) return `Mail of the campaign "${campaign.name}"`;
  return workflow ? `Mail of the workflow "${workflow.name}"` : `${mailClass === "marketing" ? "Marketing" : "A"} mail`;
};

/** The state of a mail: what its recipient did comes last. */
export const kindOfMail = ({ state, openedAt, clickedAt }: StoryMail): string =>
  state !== "sent" && state !== "delivered" ? state : clickedAt ? "clicked" : openedAt ? "opened" : state;

const OF_A_MAIL: ReadonlySet<string> = new Set(["send", "notSent"]);

/** Returns moments that no mail shows. `isWhole`: all mails are read. */
export const untold = (moments: readonly Moment[], mails: readonly StoryMail[], isWhole: boolean): Moment[] => {
  const told = new Set(mails.map(({ id }) => id));
  return moments.filter(({ kind, ids }) => {
    const send = ids.find((id) => id.startsWith("snd_"));
    return !OF_A_MAIL.has(kind) || send === undefined || (isWhole && !told.has(send));
  });
};

/** Builds a person's story from both halves, newest chapter first. */
export const storyOf = ({ webhooks, mails, moments = [] }: Halves): Chapter[] => {
  const mailById = new Map(mails.map((mail) => [mail.id, mail]));
  const caused = new Set(webhooks.flatMap(({ deliveries }) => deliveries.flatMap(({ result }) => result ?? [])));
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
  ...(chapter.kind === "webhook" ? chapter.deliveries.flatMap((delivery) => delivery.moments) : []),
];

const chapterOfWebhook = (
  webhook: StoryWebhook,
  mailById: ReadonlyMap<string, StoryMail>,
  of: (id: string | undefined) => Moment[],
): Chapter => {
  const deliveries = webhook.deliveries.map((delivery): Told => {
    const mail = delivery.result === undefined ? undefined : mailById.get(delivery.result);
    return { delivery, ...(mail ? { mail } : {}), moments: of(delivery.result) };
  });
  const verdict = worst([
    verdictOfDeliveries(webhook),
    ...deliveries.flatMap(({ mail }) => (mail ? [verdictOfMail(mail)] : [])),
  ]);
  const title = `${webhook.type} from ${webhook.source}`;
  return { kind: "webhook", id: webhook.id, at: webhook.acceptedAt, title, verdict, webhook, deliveries, moments: [] };
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
  title: sentenceOf(moment),
  verdict: { code: "none", tone: "quiet", text: "" },
  moments: [moment],
});
