import { Badge, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { Headings } from "../../parts/list/listing.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Id } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { CountedAt, CountOf, useCounts } from "./counts.tsx";
import { ListButton } from "./list-form.tsx";

type MailingList = Awaited<ReturnType<Team["v1"]["lists"]["list"]>>[number];

/** Mailing lists, read-only if the v1 API is another email service. */
export const Lists = () => {
  useButtonKey("n");
  return (
    <TeamPage
      title="Lists"
      actions={({ id }) => id !== undefined && <ListButton team={id}>New list</ListButton>}
      more={() => <CopyAs asked={{ api: "v1", name: "lists.list" }} />}
    >
      {(team) => <Found team={team} />}
    </TeamPage>
  );
};

const Found = ({ team }: { team: Team }) => {
  const query = useQuery({
    queryKey: ["v1", team.id, "lists"],
    queryFn: () => team.v1.lists.list({}),
  });
  return (
    <Answer query={query}>
      {(lists) =>
        lists.length === 0 ? (
          <Empty title="No mailing list yet">
            People join a list and leave it. Make the first one with "New list".
          </Empty>
        ) : (
          <Shown team={team} lists={lists} />
        )
      }
    </Answer>
  );
};

const Shown = ({ team, lists }: { team: Team; lists: readonly MailingList[] }) => {
  const { data: counts } = useCounts(team.id);
  return (
    <>
      {team.id !== undefined && <CountedAt team={team.id} />}
      <Table.ScrollContainer minWidth={600}>
        <Table aria-label="lists">
          <Headings of={["Name", ...(team.id === undefined ? [] : ["Subscribers"]), "Visibility", "Id", "Change"]} />
          <Table.Tbody>
            {lists.map((list) => (
              <Row key={list.id} team={team.id} list={list} counts={counts} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </>
  );
};

type RowProps = { team: string | undefined; list: MailingList; counts: Parameters<typeof CountOf>[0]["counts"] };

const Row = ({ team, list, counts }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      {list.name}{" "}
      {list.isArchived && (
        <Badge variant="light" color="gray" tt="none">
          archived
        </Badge>
      )}
      <Text size="xs" c="dimmed">
        {list.description}
      </Text>
    </Table.Td>
    {team !== undefined && (
      <Table.Td>
        <CountOf counts={counts} list={list.id} />
      </Table.Td>
    )}
    <Table.Td>{list.visibility}</Table.Td>
    <Table.Td>
      <Id>{list.id}</Id>
    </Table.Td>
    <Table.Td>
      {team !== undefined && (
        <>
          <ListButton team={team} list={list}>
            Edit
          </ListButton>{" "}
          <Archive team={team} list={list} />
        </>
      )}
    </Table.Td>
  </Table.Tr>
);

const Archive = ({ team, list: { id, name, isArchived } }: { team: string; list: MailingList }) => (
  <ActButton
    aria-label={isArchived ? `Use ${name} again` : `Archive ${name}`}
    act={{
      title: isArchived ? `Use ${name} again?` : `Archive ${name}?`,
      label: isArchived ? "Use again" : "Archive",
      effect: () => ({
        text: isArchived
          ? "People can join the list again."
          : "The list takes no new subscribers. It stays readable, and so do its members.",
      }),
      run: () => api.email.lists.update({ team, listId: id, isArchived: !isArchived }),
      done: () => (isArchived ? `${name} is in use again.` : `${name} is archived.`),
      asked: { api: "email", name: "lists.update", fields: { team, listId: id, isArchived: !isArchived } },
    }}
  >
    {isArchived ? "Use again" : "Archive"}
  </ActButton>
);
