import { Badge, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { LATER } from "../../api/queries.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { AddDomain } from "./add-domain.tsx";
import { type Domain, recordsInWords } from "./domain-words.ts";

export const Domains = () => (
  <TeamPage
    title="Sending domains"
    actions={({ id }) => id !== undefined && <AddDomain team={id} />}
    more={({ id }) =>
      id !== undefined && (
        <CopyAs
          asked={{ api: "email", name: "domains.list", fields: { team: id } }}
          command={{ name: "domains", options: ["--team", id] }}
        />
      )
    }
  >
    {({ id }) =>
      id === undefined ? <Text>The email service has the sending domains.</Text> : <Found key={id} team={id} />
    }
  </TeamPage>
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
          <Empty title="No sending domain yet">
            A mail provider takes mail only from a domain whose DNS records are right. Add one with "New domain": its
            records are shown then.
          </Empty>
        ) : (
          <List domains={data} />
        )
      }
    </Answer>
  );
};

const List = ({ domains }: { domains: readonly Domain[] }) => (
  <Table.ScrollContainer minWidth={560} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
    <Table aria-label="domains">
      <Headings of={["Name", "State", "Records", "Checked"]} />
      <Table.Tbody>
        {domains.map((domain) => (
          <Table.Tr key={domain.id} className="row">
            <Table.Td className="wrap">
              <Group gap="xs">
                <Link to="/settings/domains/$domainId" params={{ domainId: domain.id }}>
                  {domain.name}
                </Link>
                {domain.isDefault && (
                  <Badge variant="light" color="gray" tt="none">
                    default
                  </Badge>
                )}
              </Group>
            </Table.Td>
            <Table.Td>
              <Status kind={domain.state} />
            </Table.Td>
            <Table.Td>{recordsInWords(domain)}</Table.Td>
            <Table.Td>{domain.checkedAt === null ? "not yet" : <Time at={domain.checkedAt} />}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
