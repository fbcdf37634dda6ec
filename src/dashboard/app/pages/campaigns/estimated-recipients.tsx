import { Anchor, List, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { wordsOfCondition } from "../../../../lib/contract/audience/condition-words.ts";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { api } from "../../api/api.ts";
import { Parts } from "../../parts/cards/cards.tsx";
import { Failure } from "../../parts/failure.tsx";
import { findingWords } from "../../parts/finding-words.ts";
import { counted } from "../../parts/ledger/ledger-words.ts";
import { estimateText, missingParts } from "./campaign-words.ts";

export type Estimate = Awaited<ReturnType<typeof api.email.campaigns.estimate>>;
export type Asked = { audienceSegmentId?: string | null; audienceFilter?: AudienceFilter | null };

/** Recipients, exclusions by reason, and the conditions to blame if no person is left. */
export const WhoGetsIt = ({ team, estimate, of }: { team: string; estimate: Estimate; of: Asked }) => {
  const { recipients, high, matching, total, dayRows, warnings = [] } = estimate;
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} c={high === 0 ? "red" : undefined}>
        {estimateText(estimate)}
      </Text>
      {dayRows && <Text size="sm">{rowsText(dayRows)}</Text>}
      {warnings.map((warning) => (
        <Text key={warning.path} size="sm">
          {findingWords(warning)}
        </Text>
      ))}
      {total === 0 && <NoContact />}
      {high === 0 && matching === 0 && total > 0 && <KeepsOut team={team} of={of} />}
      <Parts
        label="Excluded"
        whole={{ label: "get it", many: recipients, tone: "c1" }}
        parts={missingParts(estimate)}
      />
    </Stack>
  );
};

const END = ["today", "tomorrow"];

const rowsText = ({ needed, left, days }: NonNullable<Estimate["dayRows"]>): string =>
  `Sending writes about ${counted(needed, "database row")}. Campaigns may write ${left.toLocaleString("en")} more today (UTC). Started today, the campaign ends ${END[days - 1] ?? `on day ${days}`}.`;

const NoContact = () => (
  <Text size="sm">
    Contacts come{" "}
    <Anchor size="sm" renderRoot={(props) => <Link to="/people/imports/new" {...props} />}>
      from a CSV file
    </Anchor>
    , from the API or from rules.
  </Text>
);

const NAMED = 3;

const KeepsOut = ({ team, of: { audienceSegmentId = null, audienceFilter = null } }: { team: string; of: Asked }) => {
  const { data, error } = useQuery({
    queryKey: ["email", team, "near-misses", audienceSegmentId, audienceFilter],
    queryFn: ({ signal }) =>
      api.email.audience.estimate({ team, audienceSegmentId, filter: audienceFilter }, { signal }),
  });
  if (error) return <Failure error={error} />;
  if (!data || data.nearMisses.length === 0) return null;
  return (
    <List size="sm" aria-label="What keeps everybody out">
      {data.nearMisses.slice(0, NAMED).map(({ path, message }) => (
        <List.Item key={path} className="wrap">
          {conditionAt(path, audienceFilter)}: {message.charAt(0).toLowerCase() + message.slice(1)}
        </List.Item>
      ))}
    </List>
  );
};

const conditionAt = (path: string, filter: AudienceFilter | null): string => {
  const index = Number(path.split(".").at(-1));
  const condition = path.startsWith("segment.") ? undefined : filter?.conditions[index];
  return condition === undefined ? `Condition ${index + 1} of the segment` : wordsOfCondition(condition);
};
