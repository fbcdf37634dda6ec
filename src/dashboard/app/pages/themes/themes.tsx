import { Badge, Group } from "@mantine/core";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { CardLink } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { MailThumb } from "../../parts/mail-frame/thumb.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Swatch, Time } from "../../parts/text.tsx";
import { Pending } from "../../parts/usage/pending.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { NewTheme } from "./new-theme.tsx";
import { sampleWith } from "./sample.ts";
import type { Styles } from "./styles.ts";

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

/** The sample in a theme. Undefined for a theme of a newer service that this compiler refuses. */
const pictureOf = (styles: Styles): string | undefined => {
  const drawn = sampleWith(styles);
  return "html" in drawn ? drawn.html : undefined;
};

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
      card={({ id, name, isDefault, styles, updatedAt, ...counts }) => (
        <CardLink
          to="/templates/brand/$themeId"
          params={{ themeId: id }}
          picture={<MailThumb html={pictureOf(styles)} name={name} />}
          facts={
            <>
              {isDefault && (
                <Badge variant="light" color="span" tt="none">
                  default
                </Badge>
              )}
              <Pending {...counts} />
              <Group gap={4} wrap="nowrap">
                {COLORS.map((one) => (
                  <Swatch key={one} name={one} color={String(styles[one])} />
                ))}
              </Group>
              <Time at={updatedAt} />
            </>
          }
        >
          {name}
        </CardLink>
      )}
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
