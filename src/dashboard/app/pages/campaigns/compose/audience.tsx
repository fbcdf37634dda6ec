import { Button, Fieldset, Group, Loader, Select, Stack, Text, Title } from "@mantine/core";
import { RequestError } from "../../../api/client.ts";
import { off, useDenied } from "../../../parts/acts/denied.ts";
import { Panel } from "../../../parts/cards/cards.tsx";
import { Failure } from "../../../parts/failure.tsx";
import { Loading } from "../../../parts/states.tsx";
import type { ConditionFields } from "../../segments/condition-fields.ts";
import { Conditions } from "../../segments/conditions.tsx";
import { emptyFilter, problemsIn } from "../../segments/draft.ts";
import { countingText } from "../campaign-words.ts";
import { WhoGetsIt } from "../estimated-recipients.tsx";
import type { Choices } from "./choices.ts";
import { audienceOf, type Draft, fieldOfPath, withStored } from "./draft.ts";
import { idOfField } from "./ids.ts";
import type { useEstimate } from "./use-estimate.ts";

type Props = {
  team: string;
  draft: Draft;
  fields: ConditionFields;
  choices: Choices;
  error: Error | null;
  estimate: ReturnType<typeof useEstimate>;
  /** This person can only read. */
  isLocked: boolean;
  onChange: (changes: Partial<Draft>) => void;
};

const ANY = { value: "", label: "Any contact" };

/** Edits list, segment and conditions, with a live count of contacts that meet all three. */
export const Audience = ({ team, draft, fields, choices, error, estimate, isLocked, onChange }: Props) => {
  const { list, segment, filter } = draft;
  const audience = audienceOf(draft, fields.types);
  const refused = [error, estimate.query.error].find(
    (one): one is RequestError => one instanceof RequestError && fieldOfPath(one.path) !== undefined,
  );
  const errorOf = (name: keyof Draft) => (fieldOfPath(refused?.path) === name ? refused?.message : undefined);
  return (
    <Panel title="Who gets it">
      <Stack gap="sm">
        <Text size="sm">
          Contacts that meet all that is chosen here. Without any choice, all that get marketing mail.
        </Text>
        <Fieldset variant="unstyled" p={0} m={0} disabled={isLocked}>
          <Stack gap="sm">
            <Group align="flex-start" gap="md">
              <Select
                id={idOfField("list")}
                label="Mailing list"
                w={260}
                description={choices.lists.length === 0 ? "The team has none yet" : undefined}
                data={[ANY, ...withStored(choices.lists, list)]}
                value={list ?? ANY.value}
                error={errorOf("list")}
                onChange={(id) => onChange({ list: id || null })}
                allowDeselect={false}
                searchable
              />
              <Select
                id={idOfField("segment")}
                label="Segment"
                w={260}
                description={choices.segments.length === 0 ? "The team has none yet" : undefined}
                data={[ANY, ...withStored(choices.segments, segment)]}
                value={segment ?? ANY.value}
                error={errorOf("segment")}
                onChange={(id) => onChange({ segment: id || null })}
                allowDeselect={false}
                searchable
              />
            </Group>
            <Own filter={filter} fields={fields} refused={refused} onChange={(next) => onChange({ filter: next })} />
          </Stack>
        </Fieldset>
        <Count estimate={estimate} team={team} audience={audience} />
      </Stack>
    </Panel>
  );
};

type OwnProps = {
  filter: Draft["filter"];
  fields: ConditionFields;
  refused: RequestError | undefined;
  onChange: (filter: Draft["filter"]) => void;
};

const Own = ({ filter, fields, refused, onChange }: OwnProps) =>
  filter ? (
    <Stack gap="xs" id={idOfField("filter")} tabIndex={-1}>
      <Conditions
        title={
          <Title order={3} size="h6">
            Contacts that meet
          </Title>
        }
        draft={filter}
        fields={fields}
        problems={problemsIn(filter, fields.types)}
        wrong={refused?.path}
        refusal={refused?.message}
        onChange={onChange}
      />
      <Group>
        <Button size="compact-sm" variant="default" onClick={() => onChange(null)}>
          Remove all conditions
        </Button>
      </Group>
    </Stack>
  ) : (
    <Group>
      <Button id={idOfField("filter")} size="xs" variant="default" onClick={() => onChange(emptyFilter)}>
        Add conditions of its own
      </Button>
    </Group>
  );

type CountProps = {
  estimate: ReturnType<typeof useEstimate>;
  team: string;
  audience: ReturnType<typeof audienceOf>;
};

const Count = ({ estimate: { query, isCurrent, countAll }, team, audience }: CountProps) => {
  const { data, error, isFetching, refetch } = query;
  // Sending needs an exact count.
  const denied = useDenied({ api: "email", name: "campaigns.estimate?exact" });
  if (audience === undefined) return <Text size="sm">Who gets it is counted when each condition is whole.</Text>;
  if (error && !(error instanceof RequestError && fieldOfPath(error.path) !== undefined))
    return <Failure error={error} onRetry={() => void refetch()} title="This could not be counted" />;
  if (error) return null;
  if (!data) return <Loading rows={1} />;
  const isCounting = isFetching || !isCurrent;
  return (
    <Stack gap="xs">
      <div role="status" aria-label="Count">
        <WhoGetsIt team={team} estimate={data} of={audience} />
        {isCounting && (
          <Text size="sm" c="dimmed">
            <Loader size={12} mr={6} role="presentation" />
            {countingText(data)}
          </Text>
        )}
      </div>
      {!data.exact && !isCounting && (
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            {...off(denied)}
            onClick={() => denied === undefined && countAll()}
          >
            Count all of them
          </Button>
        </Group>
      )}
    </Stack>
  );
};
