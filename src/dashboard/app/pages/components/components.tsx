import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { CardLink } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { MailThumb } from "../../parts/mail-frame/thumb.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Id } from "../../parts/text.tsx";
import { Pending } from "../../parts/usage/pending.tsx";
import { useLibrary } from "../../team/library.ts";
import { type Team, TeamPage } from "../../team/team.tsx";
import { drawn } from "./drawn.ts";
import { NewComponent } from "./new-component.tsx";

type Component = Awaited<ReturnType<Team["v1"]["components"]["list"]>>["data"][number];

export const Components = () => (
  <TeamPage
    title="Components"
    actions={(team) => <NewComponent team={team} />}
    more={() => <CopyAs asked={{ api: "v1", name: "components.list" }} />}
  >
    {(team) => <List key={team.id} team={team} />}
  </TeamPage>
);

const idOf = ({ id }: Component): string => id;
const route = getRouteApi("/team/templates/components");

const List = ({ team }: { team: Team }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Component>(
    ["v1", team.id, "components"],
    async (at, signal) => {
      const { data, pagination } = await team.v1.components.list({ perPage: "50" as never, cursor: at }, { signal });
      return { data, next: pagination.nextCursor };
    },
    { cursor, idOf },
  );
  const { data: known } = useLibrary(team);
  return (
    <Listing
      what="components"
      scan={scan}
      card={({ id, name, lmx, ...counts }) => (
        <CardLink
          to="/templates/components/$componentId"
          params={{ componentId: id }}
          picture={<MailThumb html={known && drawn(lmx, known.library)} name={name} />}
          facts={
            <>
              <Pending {...counts} />
              <Id>{id}</Id>
            </>
          }
        >
          {name}
        </CardLink>
      )}
      idOf={idOf}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(next) => void navigate({ to: "/templates/components", search: { cursor: next } })}
      empty={
        <Empty title="No components yet">
          A component is a part of several messages, such as a footer. A change of it reaches all of them. Make the
          first one with "New component".
        </Empty>
      }
    />
  );
};
