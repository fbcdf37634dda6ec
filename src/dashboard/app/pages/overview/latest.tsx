import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { whomOf } from "../../parts/ledger/ledger-words.ts";
import type { Webhook } from "../../parts/ledger/types.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { nameOfMail } from "../../story/chapters.ts";
import { useTitleOf } from "./sources.ts";

const SHOWN = 5;

/** The newest webhooks or mails. */
export const Latest = ({ team }: { team: string | undefined }) => {
  const { bridge } = useAbout();
  const kinds = [...(bridge === null ? [] : ["Webhooks"]), ...(team === undefined ? [] : ["Mail"])];
  const [chosen, setChosen] = useState<string>();
  const shown = chosen ?? kinds[0];
  if (shown === undefined) return null;
  return (
    <Panel
      title="Latest"
      isFlush
      aside={
        kinds.length > 1 && (
          <SegmentedControl size="xs" aria-label="Latest" data={kinds} value={shown} onChange={setChosen} />
        )
      }
    >
      {shown === "Webhooks" ? <Webhooks /> : team !== undefined && <Mails team={team} />}
    </Panel>
  );
};

const peopleOf = ({ deliveries }: Webhook): string => [...new Set(deliveries.map(whomOf))].join(", ");

/** The state that a person would ask about first. */
const RANKS = ["failed", "undecided", "waiting", "sending", "done", "replaced", "skipped"];
const stateOf = ({ deliveries }: Webhook): string | undefined =>
  deliveries.map(({ state }) => state).toSorted((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b))[0];

const Webhooks = () => {
  const titleOf = useTitleOf();
  const query = useQuery({
    queryKey: ["bridge", "webhooks", {}, "latest"],
    queryFn: ({ signal }) => api.bridge.webhooks.search({ limit: String(SHOWN) }, { signal }),
    ...LATER,
  });
  const columns: readonly Column<Webhook>[] = [
    {
      title: "Event",
      cell: ({ id, type, source }) => (
        <RowLink to="/webhooks/$webhookId" params={{ webhookId: id }} second={titleOf(source)}>
          {type}
        </RowLink>
      ),
    },
    { title: "Person", cell: (webhook) => <Text size="sm">{peopleOf(webhook)}</Text>, onPhone: false },
    { title: "Outcome", cell: (webhook) => <Outcome webhook={webhook} /> },
    { title: "Received", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, width: 140, onPhone: "beside" },
  ];
  return (
    <Answer query={query} rows={3}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon="webhooks" title="No webhooks yet" command="npm run demo">
            Point Stripe, Clerk or Supabase at the address of a source. On your machine, this sends samples:
          </Empty>
        ) : (
          <ListTable what="Latest webhooks" rows={data} columns={columns} idOf={({ id }) => id} />
        )
      }
    </Answer>
  );
};

const Outcome = ({ webhook }: { webhook: Webhook }) => {
  const state = stateOf(webhook);
  return state === undefined ? <Text size="sm">{webhook.why}</Text> : <Status kind={state} />;
};

const Mails = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "sends", "latest"],
    queryFn: ({ signal }) => api.email.sends.list({ team, perPage: "10" }, { signal }),
    ...LATER,
  });
  type Mail = NonNullable<typeof query.data>["data"][number];
  const columns: readonly Column<Mail>[] = [
    {
      title: "To",
      cell: (mail) => (
        <RowLink to="/sent/$sendId" params={{ sendId: mail.id }} search={{ team }} second={nameOfMail(mail)}>
          {mail.to}
        </RowLink>
      ),
    },
    { title: "State", cell: ({ state }) => <Status kind={state} /> },
    { title: "Why", cell: ({ meaning }) => <Text size="sm">{meaning}</Text>, onPhone: false },
    { title: "Accepted", cell: ({ acceptedAt }) => <Time at={acceptedAt} />, width: 140, onPhone: "beside" },
  ];
  return (
    <Answer query={query} rows={3}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon="mail" title="No mail sent yet">
            Mail of the API, of campaigns and of workflows is shown here.
          </Empty>
        ) : (
          <ListTable what="Latest mails" rows={data.slice(0, SHOWN)} columns={columns} idOf={({ id }) => id} />
        )
      }
    </Answer>
  );
};
