import { getRouteApi, useNavigate } from "@tanstack/react-router";
import type { Filters } from "../../parts/filters.ts";
import { CardLink } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { type Team, TeamPage } from "../../team/team.tsx";
import { MessagePicture } from "../message/picture.tsx";
import { NewEmail } from "./new-email.tsx";
import { readPage } from "./read-page.ts";
import { type Listed, statesOf } from "./state.ts";

/** Each picture is one request. */
const PER_PAGE = 24;

export const Templates = () => (
  <TeamPage title="Templates" actions={(team) => <NewEmail team={team} />}>
    {(team) => <Gallery key={team.id} team={team} />}
  </TeamPage>
);

const idOf = ({ id }: Listed): string => id;
const route = getRouteApi("/team/templates");

const Gallery = ({ team }: { team: Team }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Listed>(["v1", team.id, "templates"], readPage(team, PER_PAGE), {
    cursor,
    idOf,
    rows: PER_PAGE,
  });
  return (
    <Listing
      what="templates"
      scan={scan}
      idOf={idOf}
      card={(email) => (
        <CardLink
          to="/transactional/$transactionalEmailId"
          params={{ transactionalEmailId: email.id }}
          picture={
            <MessagePicture
              team={team}
              emailMessageId={email.publishedEmailMessageId ?? email.draftEmailMessageId ?? undefined}
              name={email.name}
            />
          }
          facts={statesOf(email).map((state) => <Status key={state} kind={state} />)}
        >
          {email.name}
        </CardLink>
      )}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(next) => void navigate({ to: "/templates", search: { cursor: next } })}
      empty={
        <Empty icon="templates" title="No templates yet">
          A template is a mail that an application or a rule sends to one person, such as a receipt.
        </Empty>
      }
    />
  );
};
