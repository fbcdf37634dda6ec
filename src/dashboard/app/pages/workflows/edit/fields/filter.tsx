import { Select, Stack, Switch, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { allPages } from "../../../../api/all-pages.ts";
import { RequestError } from "../../../../api/client.ts";
import type { Team } from "../../../../team/team.tsx";
import { Conditions } from "../../../segments/conditions.tsx";
import type { FilterDraft } from "../draft.ts";
import type { FieldProps } from "./props.ts";

const useSegments = ({ id, v1 }: Team) =>
  useQuery({
    queryKey: ["email", id, "segments", "all"],
    queryFn: () => allPages((asked) => v1.audienceSegments.list(asked)),
    staleTime: 60_000,
  });

/** Filter by segment, conditions, or both. */
export const FilterFields = ({ team, draft, fields, problem, error, onChange }: FieldProps<FilterDraft>) => {
  const { segment, hasFilter, filter, appliesDownstream } = draft;
  const { data: segments = [] } = useSegments(team);
  const known = segments.map(({ id, name }) => ({ value: id, label: name }));
  const isGone = segment !== null && segments.length > 0 && !known.some(({ value }) => value === segment);
  const problems = Object.fromEntries(
    filter.conditions.flatMap(({ n }) => {
      const found = problem(`condition ${n}`);
      return found === undefined ? [] : [[n, found]];
    }),
  );
  return (
    <Stack gap="sm">
      <Select
        label="Segment"
        description={
          <>
            People in it pass. <Link to="/segments">Segments</Link>
          </>
        }
        placeholder={known.length === 0 ? "No segments yet" : "Everyone"}
        data={[...known, ...(isGone ? [{ value: segment, label: `${segment} (deleted)` }] : [])]}
        value={segment}
        error={problem("segment")}
        onChange={(value) => onChange({ ...draft, segment: value })}
        clearable
        clearButtonProps={{ "aria-label": "No segment" }}
        searchable
      />
      <Switch
        label={segment === null ? "Conditions" : "Conditions, besides the segment"}
        checked={hasFilter}
        onChange={({ currentTarget }) => onChange({ ...draft, hasFilter: currentTarget.checked })}
      />
      {hasFilter && (
        <Conditions
          title={<Text size="sm">People pass who match</Text>}
          draft={filter}
          fields={fields}
          problems={problems}
          wrong={error instanceof RequestError ? error.path : undefined}
          refusal={error?.message.replace(/^[\w.]+: /, "")}
          onChange={(next) => onChange({ ...draft, filter: { match: next.match, conditions: next.conditions } })}
        />
      )}
      {!hasFilter && segment === null && <Text size="sm">Everyone passes.</Text>}
      <Switch
        label="Applies to the steps below too"
        description="Who passed comes out at a later step as soon as the person does not match any more"
        checked={appliesDownstream}
        onChange={({ currentTarget }) => onChange({ ...draft, appliesDownstream: currentTarget.checked })}
      />
    </Stack>
  );
};
