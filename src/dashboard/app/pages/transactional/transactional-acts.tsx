import { Group, List, Stack, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type Act, ActButton, type Effect } from "../../parts/acts/act.tsx";
import { MessageButton } from "../../parts/usage/message-link.tsx";
import type { Team } from "../../team/team.tsx";
import { KeepContent } from "./keep-content.tsx";
import { Settings } from "./settings.tsx";
import type { Listed } from "./state.ts";

type Verdict = Awaited<ReturnType<Team["v1"]["emailMessages"]["guardian"]>>;
type Found = Verdict["errors"];

export const TransactionalActs = ({ team, email }: { team: Team; email: Listed }) => {
  const { draftEmailMessageId: draft, publishedEmailMessageId: published } = email;
  const navigate = useNavigate();
  const edit = (emailMessageId: string | null) => {
    if (emailMessageId !== null) void navigate({ to: "/messages/$emailMessageId", params: { emailMessageId } });
  };
  return (
    <Group gap="xs">
      {draft !== null && (
        <MessageButton emailMessageId={draft} variant="filled">
          Edit the draft
        </MessageButton>
      )}
      {draft === null && (
        <ActButton act={drafting(team, email, edit)} variant="filled">
          Create a draft
        </ActButton>
      )}
      {draft !== null && <ActButton act={publishing(team, email, draft)}>Publish</ActButton>}
      {published !== null && <MessageButton emailMessageId={published}>What is published</MessageButton>}
      <Settings team={team} email={email} />
      {team.id !== undefined && <KeepContent team={team.id} id={email.id} />}
    </Group>
  );
};

const drafting = (
  { v1 }: Team,
  { id, name }: Listed,
  onDone: (emailMessageId: string | null) => void,
): Act<Awaited<ReturnType<Team["v1"]["transactionalEmails"]["draft"]>>> => ({
  title: `Create a draft of ${name}?`,
  label: "Create",
  effect: () => ({
    text: "The draft begins as a copy of what is published. Mails are sent as before until it is published.",
  }),
  run: () => v1.transactionalEmails.draft({ transactionalId: id }),
  done: () => `${name} has a draft.`,
  onDone: ({ draftEmailMessageId }) => onDone(draftEmailMessageId),
  asked: { api: "v1", name: "transactionalEmails.draft", fields: { transactionalId: id } },
});

const publishing = (
  { v1 }: Team,
  { id, name, dataVariables, publishedEmailMessageId }: Listed,
  draft: string,
): Act<Listed> => ({
  title: `Publish the draft of ${name}?`,
  label: "Publish",
  effect: async () => {
    const verdict = await v1.emailMessages.guardian({ emailMessageId: draft });
    return effectOf(verdict, publishedEmailMessageId !== null);
  },
  run: () => v1.transactionalEmails.publish({ transactionalId: id }),
  done: ({ dataVariables: now }) => {
    const added = now.filter((one) => !dataVariables.includes(one));
    const needs = added.length === 0 ? "" : ` Each send has to give ${added.join(", ")} from now on.`;
    return `${name} is published.${needs}`;
  },
  asked: { api: "v1", name: "transactionalEmails.publish", fields: { transactionalId: id } },
});

const effectOf = ({ errors, warnings }: Verdict, isPublished: boolean): Effect => {
  if (errors.length > 0)
    return {
      nothing: true,
      text: (
        <Stack gap="xs">
          <Text size="sm">It cannot be published yet. Correct this in the draft first:</Text>
          <Rules found={errors} />
        </Stack>
      ),
    };
  return {
    text: (
      <Stack gap="xs">
        <Text size="sm">
          {isPublished
            ? "Later mails have the content of the draft, in place of what is published now."
            : "It can be sent from then on."}{" "}
          Mail that was accepted before keeps its content.
        </Text>
        {warnings.length > 0 && <Text size="sm">This may be meant, or not:</Text>}
        <Rules found={warnings} />
      </Stack>
    ),
  };
};

const Rules = ({ found }: { found: Found }) => (
  <List size="sm" spacing={4}>
    {found.flatMap(({ rule, title, items }) =>
      items.map(({ path, label, fix }) => (
        <List.Item key={`${rule} ${path} ${label}`} className="wrap">
          {title} ({path}): {fix}
        </List.Item>
      )),
    )}
  </List>
);
