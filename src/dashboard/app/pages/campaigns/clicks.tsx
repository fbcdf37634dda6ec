import { Grid } from "@mantine/core";
import { Panel, Share } from "../../parts/cards/cards.tsx";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { type Column, ListTable, Second } from "../../parts/list/list-table.tsx";
import type { Team } from "../../team/team.tsx";
import { MessagePicture } from "../message/picture.tsx";
import { numberText, peopleText, percentText } from "./campaign-words.ts";
import { type LinkCounts, placesText, signsOf } from "./counts.ts";
import { useDescribed } from "./described.tsx";
import type { Status } from "./state.ts";

const columnsFor = (clicked: number): readonly Column<LinkCounts>[] => [
  {
    title: "Link",
    cell: (link) => (
      <>
        {link.url?.replace(/^https?:\/\//, "").replace(/\/$/, "") ?? "(its address differs from mail to mail)"}
        <Second>{placesText(link)}</Second>
      </>
    ),
  },
  { title: "People", cell: ({ people }) => numberText(people), isNumber: true },
  { title: "Clicks", cell: ({ clicks }) => numberText(clicks), isNumber: true },
  {
    title: "Share",
    cell: ({ people }) => (
      <>
        {percentText(people, clicked) || "–"}
        <Share of={clicked === 0 ? 0 : Math.min(1, people / clicked)} />
      </>
    ),
    width: 110,
  },
  { title: "By programs", cell: ({ robots }) => numberText(robots), isNumber: true },
];

const idOf = ({ url }: LinkCounts): string => url ?? "";

type Props = { team: Team; status: Status; links: readonly LinkCounts[]; clicked: number };

/** Clicks, drawn over the mail and by link. */
export const Clicks = ({ team, status, links, clicked }: Props) => (
  <Grid>
    <Grid.Col span={{ base: 12, md: 4 }}>
      <Panel title="Where people clicked" isFlush>
        <MessagePicture
          team={team}
          emailMessageId={useDescribed(team, status).data?.emailMessageId}
          name={status.name}
          size="tall"
          signs={signsOf(links, clicked)}
        />
      </Panel>
    </Grid.Col>
    <Grid.Col span={{ base: 12, md: 8 }}>
      <Panel
        title="Links"
        isFlush
        aside={`${peopleText(clicked)}, ${counted(
          links.reduce((sum, { clicks }) => sum + clicks, 0),
          "click",
        )}`}
      >
        <ListTable what="Links" rows={[...links]} columns={columnsFor(clicked)} idOf={idOf} />
      </Panel>
    </Grid.Col>
  </Grid>
);
