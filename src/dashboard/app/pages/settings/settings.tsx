import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { useLeave } from "../../parts/acts/leave.ts";
import { Panel } from "../../parts/cards/cards.tsx";
import { type Column, ListTable } from "../../parts/list/list-table.tsx";
import { Answer } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { TeamPage } from "../../team/team.tsx";
import { TeamSettings } from "../team/team-settings.tsx";

export const Settings = () => (
  <TeamPage
    title="Settings"
    isOfBoth
    more={({ id }) => id !== undefined && <CopyAs asked={{ api: "email", name: "teams.get", fields: { team: id } }} />}
  >
    {({ id }) => (
      <>
        {id !== undefined && <TeamSettings team={id} />}
        <Sessions />
      </>
    )}
  </TeamPage>
);

type Session = Awaited<ReturnType<typeof api.dashboard.sessions.list>>["data"][number];

const COLUMNS: readonly Column<Session>[] = [
  { title: "Who", cell: ({ who, current }) => `${who}${current ? " (this one)" : ""}` },
  { title: "Since", cell: ({ createdAt }) => <Time at={createdAt} />, onPhone: "named" },
  { title: "Seen", cell: ({ seenAt }) => <Time at={seenAt} /> },
];

const Sessions = () => {
  const leave = useLeave();
  const query = useQuery({ queryKey: ["sessions"], queryFn: () => api.dashboard.sessions.list() });
  const end = (
    <ActButton
      act={{
        title: "Log out everywhere?",
        label: "Log out",
        effect: async () => {
          const { length } = (await api.dashboard.sessions.list()).data;
          return {
            text: `${length === 1 ? "The one session" : `All ${length} sessions`} will end, this one too. What was typed and not saved is deleted in this tab, and stays in others.`,
          };
        },
        run: () => leave(() => api.dashboard.sessions.delete()),
        done: () => "All sessions have ended.",
        asked: { api: "dashboard", name: "sessions.delete" },
      }}
    >
      Log out everywhere
    </ActButton>
  );
  return (
    <Panel title="Sessions" aside={end} isFlush>
      <Answer query={query} rows={2}>
        {({ data }) => <ListTable what="Sessions" rows={data} columns={COLUMNS} idOf={({ id }) => id} />}
      </Answer>
    </Panel>
  );
};
