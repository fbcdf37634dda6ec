import { Alert, Anchor, Badge, Button, Code, Group, Stack, Text, Timeline } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { copyText } from "../../parts/acts/copy-text.ts";
import { useButtonKey } from "../../parts/keys.ts";
import { answerOf } from "../../parts/scan.ts";
import { Loading, Newer, Problem } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { type Chapter, storyOf, untold } from "../../story/chapters.ts";
import { textOf, verdictOfStory } from "../../story/story-text.ts";
import type { StoryDelivery, StoryMail } from "../../story/story-types.ts";
import type { Verdict } from "../../story/verdict.ts";
import type { useMails, useMoments, useWebhooks } from "./queries.ts";

const COLORS: Readonly<Record<Verdict["tone"], string>> = { good: "green", wait: "blue", bad: "red", quiet: "gray" };
const WORDS: Readonly<Record<Verdict["code"], string>> = {
  arrived: "arrived",
  left: "left",
  waiting: "waiting",
  unknown: "not known",
  not_sent: "did not arrive",
  attention: "needs you",
  done: "done",
  none: "",
};

type Half = Pick<ReturnType<typeof useWebhooks>, "isLooking" | "error" | "next">;

/** History, newest first, with one sentence on mail arrival. */
export const PersonStory = ({
  who,
  webhooks,
  mails,
  moments,
}: {
  who: string;
  webhooks: ReturnType<typeof useWebhooks>;
  mails: ReturnType<typeof useMails>;
  moments: ReturnType<typeof useMoments>;
}) => {
  useButtonKey("y");
  const chapters = storyOf({
    webhooks: webhooks.found,
    mails: mails.found,
    moments: untold(moments.found, mails.found, mails.next === null),
  });
  const halves: readonly Half[] = [webhooks, mails, moments];
  const isLooking = halves.some((half) => half.isLooking);
  const verdict = verdictOfStory(chapters, !isLooking && halves.every(({ error, next }) => !error && next === null));
  if (isLooking && chapters.length === 0) return <Loading />;
  return (
    <Stack mt="xs">
      <Problem query={answerOf(webhooks)} />
      <Problem query={answerOf(mails)} />
      <Problem query={answerOf(moments)} />
      <Alert color={COLORS[verdict.tone]} variant="light" title="The newest mail" data-verdict={verdict.code}>
        {verdict.text}
      </Alert>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          data-key="y"
          title="Copy the story as text: y"
          onClick={() => copyText("The story is", textOf(who, chapters, verdict))}
          disabled={chapters.length === 0}
        >
          Copy the story as text
        </Button>
        {isLooking && (
          <Text size="sm" role="status">
            Still looking …
          </Text>
        )}
      </Group>
      <Timeline bulletSize={14} lineWidth={2}>
        {chapters.map((chapter) => (
          <Timeline.Item key={chapter.id} title={<Head chapter={chapter} />} color={COLORS[chapter.verdict.tone]}>
            <Body chapter={chapter} />
          </Timeline.Item>
        ))}
      </Timeline>
      <More halves={halves} />
      <Newer of={[webhooks, mails, moments]} />
    </Stack>
  );
};

const Head = ({ chapter: { kind, id, title, at, verdict } }: { chapter: Chapter }) => (
  <Group gap="xs">
    {kind === "webhook" && (
      <Anchor renderRoot={(props) => <Link to="/webhooks/$webhookId" params={{ webhookId: id }} {...props} />}>
        {title}
      </Anchor>
    )}
    {kind === "mail" && <ToMail id={id}>{title}</ToMail>}
    {kind === "moment" && <Text>{title}</Text>}
    <Text size="sm" c="dimmed" component="span">
      <Time at={at} />
    </Text>
    {WORDS[verdict.code] !== "" && (
      <Badge variant="light" color={COLORS[verdict.tone]} tt="none">
        {WORDS[verdict.code]}
      </Badge>
    )}
  </Group>
);

const ToMail = ({ id, children }: { id: string; children: string }) => (
  <Anchor renderRoot={(props) => <Link to="/sent/$sendId" params={{ sendId: id }} {...props} />}>{children}</Anchor>
);

const Body = ({ chapter }: { chapter: Chapter }) => (
  <Stack gap={4} mt={4}>
    {chapter.kind === "mail" && <Text size="sm">{chapter.mail.meaning}</Text>}
    {chapter.kind === "webhook" && <Rules chapter={chapter} />}
    {chapter.kind === "webhook" &&
      chapter.deliveries.map(({ delivery, mail, moments }) => (
        <Stack key={delivery.id} gap={2}>
          <DeliveryLine delivery={delivery} />
          {mail && <MailLine mail={mail} />}
          {moments.map(({ at, text }) => (
            <Text key={`${at} ${text}`} size="sm" pl="md">
              {text}
            </Text>
          ))}
        </Stack>
      ))}
    {chapter.kind !== "moment" &&
      chapter.moments.map(({ at, text }) => (
        <Text key={`${at} ${text}`} size="sm">
          {text}
        </Text>
      ))}
  </Stack>
);

const Rules = ({ chapter: { webhook } }: { chapter: Extract<Chapter, { kind: "webhook" }> }) => (
  <>
    {webhook.deliveries.length === 0 && (webhook.outcomes ?? []).length === 0 && <Text size="sm">{webhook.why}</Text>}
    {(webhook.outcomes ?? []).map(({ rule, outcome, why }) =>
      outcome === "matched" ? null : (
        <Code key={rule} block>
          {why}
        </Code>
      ),
    )}
  </>
);

const DeliveryLine = ({ delivery: { rule, action, state, why } }: { delivery: StoryDelivery }) => (
  <Group gap="xs">
    <Status kind={state} />
    <Text size="sm">
      {action} of rule "{rule}": {why}
    </Text>
  </Group>
);

const MailLine = ({ mail }: { mail: StoryMail }) => (
  <Group gap="xs" pl="md">
    <Status kind={mail.state} />
    <Text size="sm">
      <ToMail id={mail.id}>{`Mail to ${mail.to}`}</ToMail>: {mail.meaning}
    </Text>
  </Group>
);

const More = ({ halves }: { halves: readonly Half[] }) =>
  halves.some(({ next }) => typeof next === "string") ? (
    <Text size="sm">Older webhooks and mails are in the lists of webhooks and of mail.</Text>
  ) : null;
