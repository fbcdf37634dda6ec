import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { Second } from "../../parts/list/list-table.tsx";
import { Time } from "../../parts/text.tsx";

type Counts = Awaited<ReturnType<typeof api.email.lists.counts>>;

const keyOf = (team: string) => ["email", team, "lists", "counts"];

/** Contacts per list at the last count. */
export const useCounts = (team: string | undefined) =>
  useQuery({
    queryKey: keyOf(team ?? ""),
    queryFn: ({ signal }) => api.email.lists.counts({ team: team ?? "" }, { signal }),
    enabled: team !== undefined,
    staleTime: 60_000,
  });

export const CountedAt = ({ team }: { team: string }) => {
  const { data, error } = useCounts(team);
  const queries = useQueryClient();
  const [again, setAgain] = useState<{ isBusy: boolean; error?: Error }>({ isBusy: false });
  const recount = async () => {
    setAgain({ isBusy: true });
    try {
      queries.setQueryData(keyOf(team), await api.email.lists.counts({ team, recount: "true" }));
      setAgain({ isBusy: false });
    } catch (caught) {
      setAgain({ isBusy: false, error: caught as Error });
    }
  };
  const problem = again.error ?? error;
  return (
    <Group gap="xs">
      {problem && (
        <Text size="sm" c="red" role="alert">
          {problem.message}
        </Text>
      )}
      {data && (
        <Text size="sm">
          Counted <Time at={data.countedAt} />: {counted(data.contacts.subscribed, "contact")}{" "}
          {data.contacts.subscribed === 1 ? "gets" : "get"} mail, {data.contacts.unsubscribed.toLocaleString("en")}{" "}
          {data.contacts.unsubscribed === 1 ? "has" : "have"} unsubscribed from all mail.
        </Text>
      )}
      <Button size="compact-sm" variant="default" onClick={() => void recount()} loading={again.isBusy}>
        Count again
      </Button>
    </Group>
  );
};

export const CountOf = ({ counts, list }: { counts: Counts | undefined; list: string }) => {
  if (!counts) return <Skeleton height={12} w={60} />;
  const { subscribed, unsubscribed } = counts.data.find(({ id }) => id === list) ?? { subscribed: 0, unsubscribed: 0 };
  return (
    <>
      {subscribed.toLocaleString("en")}
      {unsubscribed > 0 && <Second>and {unsubscribed.toLocaleString("en")} who get no mail</Second>}
    </>
  );
};
