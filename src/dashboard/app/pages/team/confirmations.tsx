import { Button, Group, Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { type Act, ActButton } from "../../parts/acts/act.tsx";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import type { Filters } from "../../parts/filters.ts";
import { type Column, RowLink } from "../../parts/list/list-table.tsx";
import { Listing } from "../../parts/list/listing.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Status } from "../../parts/status/status.tsx";
import { Time } from "../../parts/text.tsx";
import { EmailPage } from "../../team/team.tsx";

const route = getRouteApi("/team/settings/confirmations");

type Pending = Awaited<ReturnType<typeof api.email.confirmations.list>>["data"][number];

/** People with unanswered confirmation mails. */
export const Confirmations = () => (
  <EmailPage
    title="Not confirmed"
    more={(id) => <CopyAs asked={{ api: "email", name: "confirmations.list", fields: { team: id } }} />}
  >
    {(id) => (
      <>
        <Text size="sm">
          With double opt-in, these people get no marketing mail until they press "Yes, confirm" in their confirmation
          mail. Who does not answer stays here.
        </Text>
        <Found team={id} />
      </>
    )}
  </EmailPage>
);

const asking = (team: string, { email, asked }: Pending): Act<unknown> => ({
  title: `Ask ${email} again?`,
  label: "Ask again",
  effect: () => ({
    text:
      asked === null
        ? "No confirmation mail to this address is stored. One is sent now."
        : "One more confirmation mail is sent. An address gets at most three in 24 hours.",
  }),
  run: () => api.email.confirmations.send({ team, email }),
  done: () => `${email} is asked again.`,
  asked: { api: "email", name: "confirmations.send", fields: { team, email } },
});

const columnsOf = (team: string): readonly Column<Pending>[] => [
  {
    title: "Address",
    cell: ({ email }) => (
      <RowLink to="/people/$personId" params={{ personId: email }}>
        {email}
      </RowLink>
    ),
  },
  {
    title: "Confirmation mail",
    cell: ({ asked }) =>
      asked === null ? (
        <Text size="sm">none is stored</Text>
      ) : (
        <>
          <Status kind={asked.state} /> <Time at={asked.at} />
        </>
      ),
  },
  { title: "Contact since", cell: ({ createdAt }) => <Time at={createdAt} />, width: 140, onPhone: "named" },
  {
    title: "Ask",
    cell: (pending) => (
      <Group gap="xs" wrap="nowrap">
        <ActButton act={asking(team, pending)} aria-label={`Ask again: ${pending.email}`}>
          Ask again
        </ActButton>
        {pending.asked && (
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => (
              <Link to="/sent/$sendId" params={{ sendId: pending.asked?.sendId ?? "" }} {...props} />
            )}
          >
            The mail
          </Button>
        )}
      </Group>
    ),
    width: 190,
  },
];

const idOf = ({ id }: Pending): string => id;

const Found = ({ team }: { team: string }) => {
  const { cursor } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const scan = useScan<Pending>(
    ["email", team, "confirmations"],
    (at, signal) => api.email.confirmations.list({ team, cursor: at, perPage: "50" }, { signal }),
    { cursor, idOf },
  );
  return (
    <Listing
      what="people"
      scan={scan}
      columns={columnsOf(team)}
      idOf={idOf}
      isFiltered={false}
      onClear={() => {}}
      onOlder={(older) => void navigate({ to: "/settings/confirmations", search: { cursor: older } })}
      empty={
        <Empty title="Nobody has still to confirm">
          People are asked when double opt-in is on, and stand here until they answer.
        </Empty>
      }
    />
  );
};
