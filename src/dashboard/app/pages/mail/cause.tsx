import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { Id, Time } from "../../parts/text.tsx";
import type { Team } from "../../team/team.tsx";
import type { Whole } from "./whole.ts";

/** Origin of a mail in the email service and the bridge. */
export const CauseOf = ({ mail, team }: { mail: Whole; team: Team }) => {
  const { cause, revisedAt, isNewestRevision } = mail;
  return (
    <Stack gap={4}>
      <Text size="sm">
        {cause.text}
        {cause.name !== null && ` It is "${cause.name}".`}
        {cause.id !== null && cause.name === null && cause.kind !== "api" && " It was deleted since."}{" "}
        <OwnerOf cause={cause} /> {cause.kind !== "test" && <SameCause cause={cause} />}
      </Text>
      <DeliveryOf mail={mail} team={team} />
      {cause.idempotencyKey !== null && (
        <Text size="sm" component="div">
          Idempotency key <Id>{cause.idempotencyKey}</Id>
        </Text>
      )}
      {revisedAt !== null && (
        <Text size="sm">
          Its content is of <Time at={revisedAt} />
          {isNewestRevision ? " and was not changed since." : ". It was changed since, or is no longer the newest."}
        </Text>
      )}
    </Stack>
  );
};

const FILTERS = { api: "template", confirmation: "template", campaign: "campaign", workflow: "workflow" } as const;

const OwnerOf = ({ cause: { kind, id, name } }: { cause: Whole["cause"] }) => {
  if (id === null || name === null) return null;
  if (kind === "campaign")
    return (
      <Anchor renderRoot={(props) => <Link to="/campaigns/$campaignId" params={{ campaignId: id }} {...props} />}>
        The campaign
      </Anchor>
    );
  if (kind === "workflow")
    return (
      <Anchor renderRoot={(props) => <Link to="/workflows/$workflowId" params={{ workflowId: id }} {...props} />}>
        The workflow
      </Anchor>
    );
  if (kind !== "api" && kind !== "confirmation") return null;
  const params = { transactionalEmailId: id };
  return (
    <Anchor renderRoot={(props) => <Link to="/transactional/$transactionalEmailId" params={params} {...props} />}>
      The transactional email
    </Anchor>
  );
};

const SameCause = ({ cause: { kind, id } }: { cause: Whole["cause"] }) => {
  if (kind === "test" || id === null) return null;
  return (
    <Anchor renderRoot={(props) => <Link to="/sent" search={{ [FILTERS[kind]]: id }} {...props} />}>
      All of its mails
    </Anchor>
  );
};

const LOOKED = "50";

/** The delivery with the id of this mail as its result. */
const DeliveryOf = ({ mail: { id, to, class: mailClass, acceptedAt }, team }: { mail: Whole; team: Team }) => {
  const { bridge } = useAbout();
  const { data } = useQuery({
    queryKey: ["bridge", "cause", team.id, id],
    queryFn: async () => {
      const until = new Date(Date.parse(acceptedAt) + 60_000).toISOString();
      const { data: deliveries } = await api.bridge.deliveries.search({
        email: to,
        action: "transactional",
        until,
        limit: LOOKED,
      });
      return deliveries.find(({ result }) => result === id) ?? null;
    },
    enabled: bridge !== null && team.bridge && mailClass === "transactional",
    staleTime: 60_000,
  });
  if (!data) return null;
  const { rule, webhook } = data;
  return (
    <Text size="sm">
      Caused by{" "}
      <Anchor renderRoot={(props) => <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} {...props} />}>
        {webhook.type} from {webhook.source}
      </Anchor>
      , rule "{rule}".
    </Text>
  );
};
