import { Badge, Group } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { Column } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Swatch, Time } from "../../parts/text.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { NewTheme } from "./new-theme.tsx";

type Theme = Awaited<ReturnType<Team["v1"]["themes"]["list"]>>["data"][number];

export const Themes = () => (
  <TeamPage
    title="Brand"
    actions={(team) => <NewTheme team={team} />}
    more={() => <CopyAs asked={{ api: "v1", name: "themes.list" }} />}
  >
    {(team) => <List key={team.id} team={team} />}
  </TeamPage>
);

const COLORS = ["backgroundColor", "bodyColor", "buttonBodyColor", "textLinkColor", "heading1Color"] as const;

const COLUMNS: readonly Column<Theme>[] = [
  {
    title: "Name",
    cell: ({ id, name, isDefault }) => (
      <Group gap="xs">
        <Link to="/templates/brand/$themeId" params={{ themeId: id }} className="wrap">
          {name}
        </Link>
        {isDefault && (
          <Badge variant="light" color="span" tt="none">
            default
          </Badge>
        )}
      </Group>
    ),
  },
  {
    title: "Colors",
    cell: ({ styles }) => (
      <Group gap={4} wrap="nowrap">
        {COLORS.map((name) => (
          <Swatch key={name} name={name} color={String(styles[name])} />
        ))}
      </Group>
    ),
  },
  {
    title: "Messages",
    cell: ({ pendingEmailCount: pending, failedEmailCount: failed }) => (
      <Group gap={4}>
        {pending > 0 && <Status kind="waiting" count={pending} />}
        {failed > 0 && <Status kind="failed" count={failed} />}
        {pending + failed === 0 && "none waits"}
      </Group>
    ),
  },
  { title: "Changed", cell: ({ updatedAt }) => <Time at={updatedAt} />, width: 140 },
];

const idOf = ({ id }: Theme): string => id;
const route = getRouteApi("/team/templates/brand");

const List = ({ team }: { team: Team }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Theme>(
    ["v1", team.id, "themes"],
    async (at, signal) => {
      const { data, pagination } = await team.v1.themes.list({ perPage: "50" as never, cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  return (
    <Listing
      what="themes"
      scan={scan}
      columns={COLUMNS}
      idOf={idOf}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(next) => void navigate({ to: "/templates/brand", search: { cursor: next } })}
      empty={
        <Empty title="No theme yet">
          A theme has the colors, sizes and fonts of mails. Make the first one with "New theme".
        </Empty>
      }
    />
  );
};
