import { Anchor, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { copyText } from "../../parts/acts/copy-text.ts";
import { Note } from "../../parts/cards/cards.tsx";
import type { IconName } from "../../parts/icon-paths.ts";
import { Icon } from "../../parts/icons.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { answerOf } from "../../parts/scan.ts";
import { Loading, Newer, Problem } from "../../parts/states.tsx";
import { Story, type StoryEntry } from "../../parts/story/story.tsx";
import { Time } from "../../parts/text.tsx";
import { clock, dayText } from "../../parts/time.ts";
import { changesText } from "../../story/changes.ts";
import {
  type Chapter,
  kindOfMail,
  type Moment,
  nameOfMail,
  sentenceOf,
  storyOf,
  untold,
} from "../../story/chapters.ts";
import { answerOf as answerOfStory, lastMailIn, olderFailure, textOf, verdictOfStory } from "../../story/story-text.ts";
import type { StoryDelivery, StoryMail, StoryWebhook } from "../../story/story-types.ts";
import { useTitleOf } from "../overview/sources.ts";
import type { useMails, useMoments, useWebhooks } from "./queries.ts";

type Halves = {
  webhooks: ReturnType<typeof useWebhooks>;
  mails: ReturnType<typeof useMails>;
  moments: ReturnType<typeof useMoments>;
};

/** The story of both halves, newest first, with the answer whether the person got the last mail. */
export const useStory = (name: string, { webhooks, mails, moments }: Halves) => {
  const halves = [webhooks, mails, moments] as const;
  const isLooking = halves.some((half) => half.isLooking);
  const isWhole = !isLooking && halves.every(({ error, next }) => !error && next === null);
  const chapters = storyOf({
    webhooks: webhooks.found,
    mails: mails.found,
    moments: untold(moments.found, mails.found, mails.next === null),
  });
  const verdict = verdictOfStory(chapters, isWhole);
  return { halves, webhooks, mails, moments, isLooking, chapters, verdict, name };
};

type Told = ReturnType<typeof useStory>;

const TONES = { good: "good", wait: "warn", bad: "bad", quiet: "quiet" } as const;
const ICONS = { good: "done", wait: "clock", bad: "warning", quiet: "info" } as const;

export const Answer = ({ story: { chapters, verdict, name, isLooking } }: { story: Told }) => {
  if (isLooking && chapters.length === 0) return null;
  const last = lastMailIn(chapters);
  const mail = last && mailOf(last);
  return (
    <Note
      tone={TONES[verdict.tone]}
      icon={mail?.openedAt ? "opened" : ICONS[verdict.tone]}
      title={answerOfStory(name, verdict)}
      role="status"
    >
      {mail ? `“${nameOfMail(mail)}”: ${mail.meaning}${olderFailure(chapters)}` : verdict.text}
      {mail?.openedAt && (
        <>
          {" "}
          Opened <Time at={mail.openedAt} />.
        </>
      )}{" "}
      {mail && <ToMail id={mail.id}>Show the mail</ToMail>}
    </Note>
  );
};

const mailOf = (chapter: Chapter): StoryMail | undefined =>
  chapter.kind === "mail"
    ? chapter.mail
    : chapter.kind === "webhook"
      ? chapter.deliveries.find(({ mail }) => mail)?.mail
      : undefined;

const FILTERS = ["Everything", "Mail", "Webhooks", "Changes"];

const isShown = (filter: string | undefined, chapter: Chapter): boolean => {
  if (filter === "Mail") return lastMailIn([chapter]) !== undefined;
  if (filter === "Webhooks") return chapter.kind === "webhook";
  return filter !== "Changes" || chapter.kind === "moment";
};

export const PersonStory = ({ who, story }: { who: string; story: Told }) => {
  useButtonKey("y");
  const titleOf = useTitleOf();
  const [filter, setFilter] = useState(FILTERS[0]);
  const { halves, isLooking, chapters, verdict, webhooks, mails, moments } = story;
  if (isLooking && chapters.length === 0) return <Loading />;
  const now = clock();
  const days = Object.entries(
    Object.groupBy(
      chapters.filter((chapter) => isShown(filter, chapter)),
      ({ at }) => dayText(at, now),
    ),
  );
  return (
    <Stack>
      <Problem query={answerOf(webhooks)} />
      <Problem query={answerOf(mails)} />
      <Problem query={answerOf(moments)} />
      <Group gap="xs" justify="space-between">
        <SegmentedControl size="xs" aria-label="Story" data={FILTERS} value={filter} onChange={setFilter} />
        {isLooking && (
          <Text size="sm" role="status">
            Still looking …
          </Text>
        )}
        <Button
          size="xs"
          variant="default"
          leftSection={<Icon name="copy" size={14} />}
          data-key="y"
          title="Copy the story as text: y"
          onClick={() => copyText("The story is", textOf(who, chapters, verdict))}
          disabled={chapters.length === 0}
        >
          Copy as text
        </Button>
      </Group>
      <Story
        days={days.map(([day, entries = []]) => ({
          day,
          entries: entries.map((chapter) => entryOf(chapter, { titleOf, webhooks: webhooks.found })),
        }))}
      />
      {halves.some(({ next }) => typeof next === "string") && (
        <Text size="sm">Older webhooks and mails are in the lists of webhooks and of mail.</Text>
      )}
      <Newer of={halves} />
    </Stack>
  );
};

const ToMail = ({ id, isHead, children }: { id: string; isHead?: boolean; children: string }) => (
  <Anchor
    inherit
    underline={isHead ? "hover" : "always"}
    c={isHead ? "inherit" : undefined}
    renderRoot={(props) => <Link to="/sent/$sendId" params={{ sendId: id }} {...props} />}
  >
    {children}
  </Anchor>
);

type Around = { titleOf: (source: string) => string; webhooks: readonly StoryWebhook[] };

const entryOf = (chapter: Chapter, around: Around): StoryEntry => {
  const entry = { id: chapter.id, when: <Time at={chapter.at} isClock /> };
  if (chapter.kind === "moment") return { ...entry, ...ofMoment(chapter.moments[0]) };
  if (chapter.kind === "webhook") return { ...entry, ...ofWebhook(chapter, around) };
  const { mail, moments } = chapter;
  return { ...entry, ...headOfMail(mail), because: mail.meaning, ...foldOf("steps", moments.map(sentenceOf)) };
};

const BAD: ReadonlySet<string> = new Set(["failed", "undecided", "bounced", "complained", "unknown"]);
const toneOf = (kind: string): { tone?: "accent" | "bad" } =>
  BAD.has(kind) ? { tone: "bad" } : kind === "not_sent" ? {} : { tone: "accent" };

const headOfMail = (mail: StoryMail) => ({
  icon: "mail" as const,
  what: (
    <ToMail id={mail.id} isHead>
      {nameOfMail(mail)}
    </ToMail>
  ),
  kind: kindOfMail(mail),
  ...toneOf(mail.state),
});

/** `what`: what the lines are, in the plural. `more` is told with them. */
const foldOf = (what: string, lines: readonly string[], more: readonly string[] = []): Pick<StoryEntry, "fold"> =>
  lines.length === 0
    ? {}
    : {
        fold: {
          summary: lines.length === 1 ? `1 ${what.replace(/s\b/, "")}` : `${lines.length} ${what}`,
          content: [...lines, ...more].map((line) => (
            <Text key={line} inherit className="wrap">
              {line}
            </Text>
          )),
        },
      };

const MOMENTS: Readonly<Record<string, [icon: IconName, kind?: string]>> = {
  created: ["person"],
  changed: ["edit"],
  event: ["event"],
  workflow: ["workflows"],
  suppressed: ["suppressed", "suppressed"],
  notSent: ["mail", "not_sent"],
  unsubscribed: ["mail", "unsubscribed"],
  resubscribed: ["mail", "subscribed"],
  confirmed: ["check", "subscribed"],
  declined: ["nothing", "unsubscribed"],
};

const ofMoment = (moment: Moment | undefined) => {
  const [icon, kind] = MOMENTS[moment?.kind ?? ""] ?? ["mail"];
  return { icon, what: moment?.text, because: moment?.why ?? undefined, ...(kind && { kind }) };
};

const ACTIONS: Readonly<Record<string, [icon: IconName, what: (delivery: StoryDelivery) => string]>> = {
  contact: ["person", () => "Contact updated"],
  event: ["event", ({ eventName }) => `Event ${eventName ?? ""}`],
  transactional: ["mail", ({ template }) => `Mail “${template ?? ""}”`],
  delete: ["delete", () => "Contact removed"],
};

type Made = Extract<Chapter, { kind: "webhook" }>["deliveries"][number];

const resultOf = ({ delivery, mail }: Made, earlier: readonly StoryWebhook[]) => {
  const { action, state, why, rule } = delivery;
  if (mail) return { ...headOfMail(mail), why: mail.meaning };
  const [icon, what] = ACTIONS[action] ?? ["download", () => "Data of the event"];
  const done = (action === "contact" ? changesText(delivery, earlier) : undefined) ?? `rule ${rule}`;
  return { icon, what: what(delivery), kind: state, why: state === "done" ? done : why, ...toneOf(state) };
};

/** The outcome that a person asks about first: a mail, otherwise what failed. */
const mainOf = (deliveries: readonly Made[]): Made | undefined =>
  deliveries.find(({ delivery }) => delivery.action === "transactional") ??
  deliveries.find(({ delivery }) => BAD.has(delivery.state)) ??
  deliveries[0];

const ofWebhook = ({ webhook, deliveries }: Extract<Chapter, { kind: "webhook" }>, { titleOf, webhooks }: Around) => {
  const { id, type, source, why, outcomes = [] } = webhook;
  const earlier = webhooks.filter(({ acceptedAt }) => acceptedAt < webhook.acceptedAt);
  const results = deliveries.map((made) => resultOf(made, earlier));
  const main = mainOf(deliveries);
  const head = main && results[deliveries.indexOf(main)];
  const failed = outcomes.flatMap((one) => (one.outcome === "failed" ? `${one.why} ` : []));
  const cause: ReactNode = (
    <>
      Because {titleOf(source)} reported{" "}
      <Anchor inherit renderRoot={(props) => <Link to="/webhooks/$webhookId" params={{ webhookId: id }} {...props} />}>
        {type}
      </Anchor>
      {main ? ` and the rule ${main.delivery.rule} matched.` : `. ${why}`} {results.length === 1 && head?.why}{" "}
      {main && failed}
    </>
  );
  const others = outcomes.filter(({ outcome }) => outcome === "not matched").map((one) => one.why);
  const told = deliveries.flatMap(({ moments }) => moments.map(sentenceOf));
  return {
    ...(head ?? { icon: "webhooks" as const, what: `${type} from ${titleOf(source)}`, kind: "skipped" }),
    because: cause,
    ...(results.length > 1 && { results }),
    ...(others.length > 0 ? foldOf("rules did not apply", others, told) : foldOf("steps", told)),
  };
};
