import { Alert, Anchor, Button, Group, Text } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { useAct } from "../../api/use-act.ts";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { PageHead } from "../../parts/page/page.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Id, Time } from "../../parts/text.tsx";
import type { Team } from "../../team/team.tsx";
import { kindOf, type Message, type Owner } from "./source.ts";

const NOUNS = { transactional: "Transactional mail", campaign: "Campaign", workflow: "Workflow" } as const;

export const Head = ({ message, owner, locked }: { message: Message; owner: Owner; locked: boolean }) => {
  const isPublished = owner.publishedId === message.id;
  return (
    <PageHead
      name={message.subject?.trim() || "No subject yet"}
      meta={
        <>
          <Status kind={isPublished ? "published" : locked ? "locked" : "draft"} />
          <span>
            {NOUNS[kindOf(message)]} <Owned message={message} name={owner.name} nodeId={owner.nodeId} />
          </span>
          <span>
            changed <Time at={message.updatedAt} />
          </span>
          <Id>{message.id}</Id>
        </>
      }
    />
  );
};

const Owned = ({ message, name, nodeId }: { message: Message; name: string; nodeId: string | undefined }) => {
  const { campaignId, transactionalId, workflowId } = message;
  if (workflowId !== undefined)
    return (
      <Anchor
        renderRoot={(props) => (
          <Link
            to="/workflows/$workflowId"
            params={{ workflowId }}
            search={{ ...(nodeId && { node: nodeId }) }}
            {...props}
          />
        )}
      >
        {name}
      </Anchor>
    );
  if (campaignId !== undefined)
    return (
      <Anchor renderRoot={(props) => <Link to="/campaigns/$campaignId" params={{ campaignId }} {...props} />}>
        {name}
      </Anchor>
    );
  if (transactionalId === undefined) return name;
  return (
    <Anchor
      renderRoot={(props) => (
        <Link to="/transactional/$transactionalEmailId" params={{ transactionalEmailId: transactionalId }} {...props} />
      )}
    >
      {name}
    </Anchor>
  );
};

export const Locked = ({ team, message, why }: { team: Team; message: Message; why: string }) => {
  const navigate = useNavigate();
  const { transactionalId } = message;
  const denied = useDenied({ api: "v1", name: "transactionalEmails.draft" });
  const draft = useAct({
    mutationFn: () => team.v1.transactionalEmails.draft({ transactionalId: transactionalId ?? "" }),
    onSuccess: ({ draftEmailMessageId: emailMessageId }) => {
      if (emailMessageId !== null) void navigate({ to: "/messages/$emailMessageId", params: { emailMessageId } });
    },
  });
  return (
    <Alert variant="light" color="span" title="It cannot be edited">
      <Group gap="md">
        <Text size="sm">{why}</Text>
        {transactionalId !== undefined && (
          <Button
            size="xs"
            variant="default"
            onClick={() => denied === undefined && draft.mutate()}
            loading={draft.isPending}
            {...off(denied)}
          >
            Edit a draft
          </Button>
        )}
      </Group>
      {draft.error && <Refused error={draft.error} onProved={() => draft.mutate()} />}
    </Alert>
  );
};
