import { useQuery } from "@tanstack/react-query";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { capital } from "../../parts/ledger/ledger-words.ts";
import { Chips, type FilterField } from "../../parts/list/chips.tsx";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { useFields } from "./fields.ts";
import { rulesQuery } from "./query.ts";
import { doesOf, type Rule } from "./rule-words.ts";

const FIELDS: readonly FilterField[] = [{ name: "source", label: "Source" }];
const route = getRouteApi("/sources/rules");

export const Rules = () => {
  const filters = route.useSearch();
  const { source } = filters;
  const navigate = useNavigate();
  const query = useQuery(rulesQuery);
  return (
    <Page
      title={source === undefined ? "Rules" : `Rules of ${source}`}
      more={<CopyAs asked={{ api: "bridge", name: "rules.list" }} command={{ name: "check" }} />}
    >
      <Chips fields={useFields(FIELDS)} filters={filters} onChange={(search) => void navigate({ to: ".", search })} />
      <Answer query={query}>
        {({ data }) => {
          const rules = data.filter((rule) => source === undefined || rule.source === source);
          return rules.length === 0 ? (
            <None source={source} />
          ) : (
            <ListTable what="Rules" rows={rules} columns={COLUMNS} idOf={({ source: of, name }) => `${of} ${name}`} />
          );
        }}
      </Answer>
    </Page>
  );
};

const None = ({ source }: { source: string | undefined }) =>
  source === undefined ? (
    <Empty title="No rules" command="npm run check">
      Rules are in src/mappings, one file for each provider. After a change, this checks them:
    </Empty>
  ) : (
    <Empty title={`No rule of ${source}`}>The source has no rules, or there is no source with this name.</Empty>
  );

const COLUMNS: readonly Column<Rule>[] = [
  {
    title: "Rule",
    cell: ({ source, name }) => (
      <RowLink to="/sources/rules/$source/$rule" params={{ source, rule: name }} second={source}>
        {name}
      </RowLink>
    ),
    width: "26%",
  },
  { title: "Event", cell: ({ on }) => on.join(", ") },
  { title: "What it does", cell: (rule) => capital(doesOf(rule).join(", ")) },
];
