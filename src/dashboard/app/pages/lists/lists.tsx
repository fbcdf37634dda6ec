import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useButtonKey } from "../../parts/keys.ts";
import { type Column, ListTable, RowLink } from "../../parts/list/list-table.tsx";
import { Answer, Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
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
  const { id: own } = team;
  const columns: readonly Column<MailingList>[] = [
    {
      title: "Name",
      cell: ({ id, name, description, isArchived }) => (
        <>
          <RowLink to="/people" search={{ list: id }} second={description || undefined}>
            {name}
          </RowLink>
          {isArchived && <Status kind="archived" />}
        </>
      ),
    },
    ...(own === undefined
      ? []
      : [
          {
            title: "Subscribers",
            cell: ({ id }: MailingList) => <CountOf counts={counts} list={id} />,
            isNumber: true,
          },
        ]),
    { title: "Visibility", cell: ({ visibility }) => visibility },
    { title: "Id", cell: ({ id }) => <Id>{id}</Id>, onPhone: false },
    {
      title: "Change",
      cell: (list) =>
        own !== undefined && (
          <Group gap={4} wrap="nowrap">
            <ListButton team={own} list={list}>
              Edit
            </ListButton>
            <Archive team={own} list={list} />
          </Group>
        ),
      width: 200,
    },
  ];
  return (
    <>
      {own !== undefined && <CountedAt team={own} />}
      <ListTable what="lists" rows={lists} columns={columns} idOf={idOf} />
    </>
  );
};

const idOf = ({ id }: MailingList): string => id;

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
