import { Button, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type NameOf, wordsOfConditions } from "../../../../lib/contract/audience/condition-words.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { changed, type Filters } from "../../parts/filters.ts";
import { useButtonKey } from "../../parts/keys.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage, type Team } from "../../team/team.tsx";
import { namesIn, useConditionFields } from "./condition-fields.ts";

type Segment = Awaited<ReturnType<Team["v1"]["audienceSegments"]["list"]>>["data"][number];

const columnsOf = (nameOf: NameOf | undefined): readonly Column<Segment>[] => [
  {
    title: "Name",
    cell: ({ id, name, description }) => (
      <>
        <Link to="/segments/$segmentId" params={{ segmentId: id }} className="wrap">
          {name}
        </Link>
        <Text size="xs" c="dimmed" className="wrap">
          {description}
        </Text>
      </>
    ),
  },
  {
    title: "Contacts that meet",
    cell: ({ filter }) => (
      <Text size="sm" miw={240} lineClamp={3} className="wrap" title={wordsOfConditions(filter, nameOf)}>
        {wordsOfConditions(filter, nameOf)}
      </Text>
    ),
  },
  { title: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} />, width: 140, onPhone: "named" },
];

const route = getRouteApi("/team/segments");
const idOf = ({ id }: Segment): string => id;

export const Segments = () => {
  useButtonKey("n");
  return (
    <EmailPage
      title="Segments"
      actions={(_id) => (
        <Button size="xs" renderRoot={(props) => <Link to="/segments/new" {...props} />} data-key="n">
          New segment
        </Button>
      )}
      more={(_id) => <CopyAs asked={{ api: "v1", name: "audienceSegments.list" }} />}
    >
      {(id, team) => <List team={team} id={id} />}
    </EmailPage>
  );
};

const List = ({ team, id }: { team: Team; id: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const { cursor } = filters;
  const scan = useScan<Segment>(
    ["email", id, "segments"],
    async (at, signal) => {
      const { data, pagination } = await team.v1.audienceSegments.list({ perPage: "50", cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  const names = useConditionFields(
    team,
    scan.found.some(({ filter }) => filter.conditions.some(({ type }) => type === "activity")),
  );
  return (
    <Listing
      what="segments"
      scan={scan}
      columns={columnsOf(names.data && namesIn(names.data))}
      idOf={idOf}
      isFiltered={false}
      onClear={() => void navigate({ to: "/segments", search: {} })}
      onOlder={(next) => void navigate({ to: "/segments", search: { ...changed(filters, {}), cursor: next } })}
      empty={
        <Empty title="No segment yet">
          A segment is a filter with a name, for campaigns, workflows and the list of people. "New segment" makes the
          first one.
        </Empty>
      }
    />
  );
};
