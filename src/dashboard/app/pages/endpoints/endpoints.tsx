import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { pageWords } from "../../api/page-words.ts";
import { LATER } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { type Endpoint, eventsInWords, stateOf } from "./endpoint-words.ts";
import { NewEndpoint } from "./new-endpoint.tsx";

export const Endpoints = () => (
  <EmailPage
    title="Outgoing webhooks"
    actions={(id) => <NewEndpoint team={id} />}
    more={(id) => <CopyAs asked={{ api: "email", name: "webhooks.list", fields: { team: id } }} />}
  >
    {(id) => <Found team={id} />}
  </EmailPage>
);

const Found = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "endpoints"],
    queryFn: ({ signal }) => api.email.webhooks.list({ team }, { signal }),
    ...LATER,
  });
  return (
    <Answer query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon="webhooks" title="No outgoing webhooks yet">
            One posts what happens to people and mails to an address of yours. Add it with "New webhook".
          </Empty>
        ) : (
          <ListTable what="outgoing webhooks" rows={data} columns={COLUMNS} idOf={({ id }) => id} />
        )
      }
    </Answer>
  );
};

const COLUMNS: readonly Column<Endpoint>[] = [
  {
    title: "Address",
    cell: ({ id, url, notice, description }) => (
      <RowLink
        to="/settings/webhooks/$webhookId"
        params={{ webhookId: id }}
        className="wrap"
        second={notice === null ? description : pageWords(notice)}
      >
        {url}
      </RowLink>
    ),
  },
  { title: "State", cell: (endpoint) => <Status kind={stateOf(endpoint)} />, onPhone: "beside" },
  { title: "Events", cell: eventsInWords, width: 200 },
  { title: "Added", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140, onPhone: "named" },
];
