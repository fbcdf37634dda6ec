import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";
import { AddDomain } from "./add-domain.tsx";
import { type Domain, recordsInWords } from "./domain-words.ts";

export const Domains = () => (
  <EmailPage
    title="Sending domains"
    actions={(id) => <AddDomain team={id} />}
    more={(id) => (
      <CopyAs
        asked={{ api: "email", name: "domains.list", fields: { team: id } }}
        command={{ name: "domains", options: ["--team", id] }}
      />
    )}
  >
    {(id) => <Found team={id} />}
  </EmailPage>
);

const Found = ({ team }: { team: string }) => {
  const query = useQuery({
    queryKey: ["email", team, "domains"],
    queryFn: ({ signal }) => api.email.domains.list({ team }, { signal }),
    ...LATER,
  });
  return (
    <Answer query={query}>
      {({ data }) =>
        data.length === 0 ? (
          <Empty icon="domain" title="No sending domain yet">
            Mail needs one that you own. About 10 minutes.
          </Empty>
        ) : (
          <ListTable what="domains" rows={data} columns={COLUMNS} idOf={({ id }) => id} />
        )
      }
    </Answer>
  );
};

const COLUMNS: readonly Column<Domain>[] = [
  {
    title: "Name",
    cell: ({ id, name, isDefault }) => (
      <RowLink
        to="/settings/domains/$domainId"
        params={{ domainId: id }}
        className="wrap"
        second={isDefault ? "Default" : undefined}
      >
        {name}
      </RowLink>
    ),
  },
  { title: "State", cell: ({ state }) => <Status kind={state} />, onPhone: "beside" },
  { title: "Records", cell: recordsInWords },
  {
    title: "Checked",
    cell: ({ checkedAt }) => (checkedAt === null ? "not yet" : <Time at={checkedAt} />),
    onPhone: "named",
  },
];
