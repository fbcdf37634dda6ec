import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { useAbout } from "../../api/use-about.ts";
import { Facts, Panel } from "../../parts/cards/cards.tsx";
import { Id, Time } from "../../parts/text.tsx";
import type { Team } from "../../team/team.tsx";
import { useTitleOf } from "../overview/sources.ts";
import type { Whole } from "./whole.ts";

/** Origin of a mail in the email service and the bridge. */
export const CauseOf = ({ mail, team }: { mail: Whole; team: Team }) => {
  const { cause, revisedAt, isNewestRevision } = mail;
  const delivery = useDelivery(mail, team);
  const titleOf = useTitleOf();
  const isDeleted = cause.id !== null && cause.name === null && cause.kind !== "api";
  return (
    <Panel title="Why it was sent" aside={<SameCause cause={cause} />}>
      <Facts
        facts={[
          { label: "Cause", value: cause.text, note: isDeleted && "It was deleted since." },
          ...(cause.name === null ? [] : [{ label: WORDS[cause.kind], value: <OwnerOf cause={cause} /> }]),
          ...(delivery
            ? [
                {
                  label: titleOf(delivery.webhook.source),
                  value: (
                    <Link to="/webhooks/$webhookId" params={{ webhookId: delivery.webhook.id }}>
                      {delivery.webhook.type}
                    </Link>
                  ),
                  note: `rule ${delivery.rule}`,
                },
              ]
            : []),
          ...(cause.idempotencyKey === null
            ? []
            : [{ label: "Idempotency key", value: <Id>{cause.idempotencyKey}</Id> }]),
          ...(revisedAt === null
            ? []
            : [
                {
                  label: "Content of",
                  value: <Time at={revisedAt} />,
                  note: isNewestRevision ? "not changed since" : "changed since, or no longer the newest",
                },
              ]),
        ]}
      />
    </Panel>
  );
};

const FILTERS = { api: "template", confirmation: "template", campaign: "campaign", workflow: "workflow" } as const;
const WORDS = {
  api: "Template",
  confirmation: "Template",
  test: "Message",
  campaign: "Campaign",
  workflow: "Workflow",
} as const;

/** The name of what sent a mail, with a link to it. */
export const OwnerOf = ({ cause: { kind, id, name } }: { cause: Whole["cause"] }) => {
  if (id === null || name === null || kind === "test") return name;
  if (kind === "campaign")
    return (
      <Link to="/campaigns/$campaignId" params={{ campaignId: id }}>
        {name}
      </Link>
    );
  if (kind === "workflow")
    return (
      <Link to="/workflows/$workflowId" params={{ workflowId: id }}>
        {name}
      </Link>
    );
  return (
    <Link to="/transactional/$transactionalEmailId" params={{ transactionalEmailId: id }}>
      {name}
    </Link>
  );
};

const SameCause = ({ cause: { kind, id } }: { cause: Whole["cause"] }) => {
  if (kind === "test" || id === null) return null;
  return (
    <Anchor size="sm" renderRoot={(props) => <Link to="/sent" search={{ [FILTERS[kind]]: id }} {...props} />}>
      All of its mails
    </Anchor>
  );
};

const LOOKED = "50";

/** The delivery with the id of this mail as its result. */
const useDelivery = ({ id, to, class: mailClass, acceptedAt }: Whole, team: Team) => {
  const { bridge } = useAbout();
  return useQuery({
    queryKey: ["bridge", "cause", team.id, id],
    queryFn: async () => {
      const until = new Date(Date.parse(acceptedAt) + 60_000).toISOString();
      const asked = { email: to, action: "transactional", until, limit: LOOKED } as const;
      const { data } = await api.bridge.deliveries.search(asked);
      return data.find(({ result }) => result === id) ?? null;
    },
    enabled: bridge !== null && team.bridge && mailClass === "transactional",
    staleTime: 60_000,
  }).data;
};
