import { SegmentedControl, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { LIVE } from "../../api/queries.ts";
import { useAbout } from "../../api/use-about.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { webhookColumns } from "../../parts/ledger/webhook-columns.tsx";
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

const Webhooks = () => {
  const titleOf = useTitleOf();
  const query = useQuery({
    queryKey: ["bridge", "webhooks", {}, "latest"],
    queryFn: ({ signal }) => api.bridge.webhooks.search({ limit: String(SHOWN) }, { signal }),
    ...LIVE,
  });
  return (
    <Answer query={query} rows={3}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon="webhooks" title="No webhooks yet" command="npm run demo">
            Point Stripe, Clerk or Supabase at the address of a source. On your machine, this sends samples:
          </Empty>
        ) : (
          <ListTable what="Latest webhooks" rows={data} columns={webhookColumns(titleOf)} idOf={({ id }) => id} />
        )
      }
    </Answer>
  );
};

const Mails = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "sends", "latest"],
    queryFn: ({ signal }) => api.email.sends.list({ team, perPage: "10" }, { signal }),
    ...LIVE,
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
