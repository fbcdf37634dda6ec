import { Text } from "@mantine/core";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { api } from "../../api/api.ts";
import { ActButton } from "../../parts/acts/act.tsx";
import type { Filters } from "../../parts/filters.ts";
import type { FilterField } from "../../parts/list/chips.tsx";
import { FilteredList } from "../../parts/list/filtered-list.tsx";
import type { Column } from "../../parts/list/list-table.tsx";
import { useScan } from "../../parts/scan.ts";
import { Empty } from "../../parts/states.tsx";
import { Time } from "../../parts/text.tsx";
import { removingByOperator } from "./remove.ts";

type Found = Awaited<ReturnType<typeof api.email.suppressions.list>>["data"][number];
type Asked = Parameters<typeof api.email.suppressions.list>[0];

const FIELDS: readonly FilterField[] = [
  { name: "q", label: "Begins with", placeholder: "ada@" },
  { name: "reason", label: "Reason", options: ["bounce", "complaint", "manual"] },
  { name: "cause", label: "Words of the bounce", placeholder: "user unknown" },
  { name: "destination", label: "Destination", placeholder: "example.com" },
  { name: "since", label: "Since", placeholder: "2026-01-31" },
  { name: "until", label: "Until", placeholder: "2026-01-31T12:00:00Z" },
];

const columnsOf = (team: string): readonly Column<Found>[] => [
  {
    title: "Address",
    cell: ({ email }) => (
      <Link to="/people/$personId" params={{ personId: email }}>
        {email}
      </Link>
    ),
  },
  {
    title: "Why",
    cell: ({ meaning, cause, sendId }) => (
      <Text size="sm" className="wrap">
        {meaning} {cause}{" "}
        {sendId !== null && (
          <Link to="/sent/$sendId" params={{ sendId }}>
            The mail
          </Link>
        )}
      </Text>
    ),
  },
  { title: "Since", cell: ({ since }) => <Time at={since} />, width: 140, onPhone: "named" },
  {
    title: "Remove",
    cell: ({ email, meaning }) => (
      <ActButton act={removingByOperator(team, email, meaning)} aria-label={`Remove ${email} from suppression`}>
        Remove
      </ActButton>
    ),
    width: 100,
  },
];

const idOf = ({ email }: Found): string => email;
const route = getRouteApi("/team/people/suppressed");

export const SuppressedAddresses = ({ team }: { team: string }) => {
  const { team: _, ...filters } = route.useSearch() as Filters;
  const navigate = useNavigate();
  const show = (search: Filters) => void navigate({ to: "/people/suppressed", search });
  const { cursor, ...wanted } = filters;
  const scan = useScan<Found>(
    ["email", team, "suppressions", wanted],
    (at, signal) =>
      api.email.suppressions.list({ ...(wanted as Partial<Asked>), team, cursor: at, perPage: "50" }, { signal }),
    { cursor, idOf },
  );
  return (
    <FilteredList
      fields={FIELDS}
      filters={filters}
      onShow={show}
      what="suppressions"
      scan={scan}
      columns={columnsOf(team)}
      idOf={idOf}
      empty={
        <Empty title="No address is suppressed">
          An address is suppressed after a hard bounce or a complaint, or by hand. No mail is sent to it.
        </Empty>
      }
    />
  );
};
