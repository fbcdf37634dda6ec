import { Anchor, Button, List, Loader, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { wordsOfCondition } from "../../../../lib/contract/audience/condition-words.ts";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { api } from "../../api/api.ts";
import { Failure } from "../../parts/failure.tsx";
import { findingWords } from "../../parts/finding-words.ts";
import { useScan } from "../../parts/scan.ts";
import { Loading } from "../../parts/states.tsx";
import { type ConditionFields, namesIn } from "./condition-fields.ts";
import { countText, differenceOf, differenceText } from "./count.ts";
import type { useCounts } from "./use-counts.ts";

const MISSES = 3;

/** Contact count, effect of the change, and most restrictive condition. */
export const CountsOf = ({
  counts,
  filter,
  fields,
  hasStored,
}: {
  counts: ReturnType<typeof useCounts>;
  filter: AudienceFilter;
  fields: ConditionFields;
  hasStored: boolean;
}) => {
  if (!counts) return null;
  const { now, stored, both, isOver, error } = counts;
  const isChanged = hasStored && (both !== undefined || stored !== undefined);
  return (
    <Stack gap="xs">
      {error && <Failure error={error} onRetry={counts.retry} title="This could not be counted" />}
      {!now && !error && <Loading rows={1} />}
      <Stack gap={4} role="status" aria-label="Count">
        {now && <Text fw={600}>{countText(now)}</Text>}
        {isChanged && now && stored && both && <Text>{differenceText(differenceOf(now, stored, both))}</Text>}
        {now && !isOver && (
          <Text size="sm" c="dimmed">
            <Loader size={12} mr={6} role="presentation" />
            Counting on …
          </Text>
        )}
      </Stack>
      {now?.warnings.map(({ path, message }) => (
        <Text key={path} size="sm">
          {findingWords({ code: "mostly_unreached", message })}
        </Text>
      ))}
      {now && now.nearMisses.length > 0 && <NearMisses misses={now.nearMisses} filter={filter} fields={fields} />}
    </Stack>
  );
};

type Misses = readonly { path: string; message: string }[];

type MissesProps = { misses: Misses; filter: AudienceFilter; fields: ConditionFields };

const NearMisses = ({ misses, filter, fields }: MissesProps) => (
  <List size="sm" aria-label="Near misses">
    {misses.slice(0, MISSES).flatMap(({ path, message }) => {
      const condition = filter.conditions[Number(path.split(".").at(-1))];
      return condition === undefined ? (
        []
      ) : (
        <List.Item key={path} className="wrap">
          {wordsOfCondition(condition, namesIn(fields))}: {message.charAt(0).toLowerCase() + message.slice(1)}
        </List.Item>
      );
    })}
  </List>
);

const SHOWN = 10;

export const Examples = ({ team, filter }: { team: string; filter: AudienceFilter }) => {
  const text = JSON.stringify(filter);
  const scan = useScan(
    ["email", team, "segment-examples", text],
    (cursor, signal) =>
      api.email.contacts.list({ team, filter: text as never, cursor, perPage: String(SHOWN) }, { signal }),
    { rows: SHOWN },
  );
  return (
    <Stack gap="xs" mt="sm">
      {scan.error && scan.found.length === 0 && <Failure error={scan.error} onRetry={scan.retry} />}
      {scan.found.length === 0 && scan.isLooking && !scan.error && <Loading rows={2} />}
      {scan.found.length === 0 && !scan.isLooking && scan.next === null && (
        <Text size="sm">No contact meets it now.</Text>
      )}
      <List size="sm" spacing="xs" aria-label="Examples">
        {scan.found.slice(0, SHOWN).map(({ id, email, userId }) => (
          <List.Item key={id} className="wrap">
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link to="/people/$personId" params={{ personId: email ?? userId ?? id }} {...props} />
              )}
            >
              {email ?? userId ?? id}
            </Anchor>
          </List.Item>
        ))}
      </List>
      {scan.isLooking && scan.searchedTo !== undefined && (
        <Button size="compact-xs" variant="default" onClick={scan.stop} w="fit-content">
          Stop looking
        </Button>
      )}
    </Stack>
  );
};
