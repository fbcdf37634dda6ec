import { Code, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { Page } from "../../parts/page/page.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { rulesQuery } from "./query.ts";
import { doesOf, type Rule, textOf } from "./rule-words.ts";

const route = getRouteApi("/sources/rules");

export const Rules = () => {
  const { source } = route.useSearch();
  const query = useQuery(rulesQuery);
  return (
    <Page
      title={source === undefined ? "Rules" : `Rules of ${source}`}
      more={<CopyAs asked={{ api: "bridge", name: "rules.list" }} command={{ name: "check" }} />}
    >
      {source !== undefined && (
        <Link to="/sources/rules" search={{}}>
          All rules
        </Link>
      )}
      <Answer query={query}>
        {({ data }) => {
          const rules = data.filter((rule) => source === undefined || rule.source === source);
          return rules.length === 0 ? <None source={source} /> : <List rules={rules} />;
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

const List = ({ rules }: { rules: readonly Rule[] }) => (
  <Table.ScrollContainer minWidth={640}>
    <Table aria-label="Rules">
      <Headings of={["Rule", "Source", "On", "Contact", "Does"]} />
      <Table.Tbody>
        {rules.map((rule) => (
          <Table.Tr key={`${rule.source} ${rule.name}`} className="row">
            <Table.Td>
              <Link to="/sources/rules/$source/$rule" params={{ source: rule.source, rule: rule.name }}>
                {rule.name}
              </Link>
            </Table.Td>
            <Table.Td>{rule.source}</Table.Td>
            <Table.Td>
              {rule.on.map((type) => (
                <Text size="sm" key={type}>
                  {type}
                </Text>
              ))}
            </Table.Td>
            <Table.Td>
              <Code className="wrap">{textOf(rule.contact)}</Code>
            </Table.Td>
            <Table.Td>
              {doesOf(rule).map((what) => (
                <Text size="sm" key={what}>
                  {what}
                </Text>
              ))}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
