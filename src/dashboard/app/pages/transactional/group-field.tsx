import { Select } from "@mantine/core";
import type { Team } from "../../team/team.tsx";
import { useGroups } from "./groups.ts";

/** Hidden if the team has no groups. */
export const GroupField = ({
  team,
  value,
  onChange,
  error,
}: {
  team: Team;
  value?: string | null;
  onChange?: (id: string | null) => void;
  error?: string | undefined;
}) => {
  const { data = [], error: failed } = useGroups(team);
  if (failed) return null;
  return (
    <Select
      label="Group"
      placeholder={data.length === 0 ? "The team has no group" : "None"}
      disabled={data.length === 0}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      error={error}
      searchable
    />
  );
};
