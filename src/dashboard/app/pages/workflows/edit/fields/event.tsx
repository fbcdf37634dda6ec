import { Autocomplete, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { allPages } from "../../../../api/all-pages.ts";
import type { Team } from "../../../../team/team.tsx";

/** Event names known for the team. */
const useEventNames = ({ id, v1 }: Team) =>
  useQuery({
    queryKey: ["v1", id, "event-patterns", "names"],
    queryFn: () => allPages((asked) => v1.eventPatterns.list(asked)),
    staleTime: 60_000,
  });

const useEventProperties = ({ id, v1 }: Team, name: string, isKnown: boolean) =>
  useQuery({
    queryKey: ["v1", id, "event-patterns", "by-name", name],
    queryFn: () => v1.eventPatterns.getByName({ eventName: name }),
    enabled: isKnown,
    staleTime: 60_000,
  });

/** Properties of an event. Unknown names cause no request. */
export const useKnownProperties = (team: Team, name: string) => {
  const { data: patterns = [] } = useEventNames(team);
  const isKnown = patterns.some(({ eventName }) => eventName === name);
  return useEventProperties(team, name, isKnown).data?.eventProperties ?? [];
};

type Props = {
  team: Team;
  value: string;
  error: string | undefined;
  onChange: (name: string) => void;
  label?: string;
};

export const EventField = ({ team, value, error, onChange, label = "Name of the event" }: Props) => {
  const { data: patterns = [] } = useEventNames(team);
  const names = [...new Set(patterns.map(({ eventName }) => eventName))];
  const name = value.trim();
  const isKnown = names.includes(name);
  const { data: pattern } = useEventProperties(team, name, isKnown);
  const properties = pattern?.eventProperties ?? [];
  return (
    <>
      <Autocomplete
        label={label}
        maxLength={100}
        data={names}
        limit={50}
        value={value}
        error={error}
        onChange={onChange}
      />
      {name !== "" && !isKnown && (
        <Text size="sm">No event of this name was received yet. Upper and lower case make a difference.</Text>
      )}
      {properties.length > 0 && (
        <Text size="sm" className="wrap">
          Its properties, for mails: {properties.map((property) => `{event.${property.name}}`).join(", ")}
        </Text>
      )}
    </>
  );
};
