import { Group, Radio, SegmentedControl, Select, Stack, Text, TextInput } from "@mantine/core";
import { Panel } from "../../../parts/cards/cards.tsx";
import { clock, zoneText } from "../../../parts/time.ts";
import { peopleText } from "../campaign-words.ts";
import { GROWTHS, mostOf } from "../growth.ts";
import { type Draft, problemsOf } from "./draft.ts";
import { idOfField } from "./ids.ts";
import { choicesOf, fieldOf, instantOf, localOf } from "./local-time.ts";

type Props = {
  draft: Draft;
  zone: string;
  refusal: string | undefined;
  /** Percent by which the audience may grow. */
  growth: number;
  /** Recipients as estimated now. */
  recipients: number | undefined;
  isLocked: boolean;
  onGrowth: (percent: number) => void;
  onChange: (changes: Partial<Draft>) => void;
};

const soon = (zone: string): string =>
  localOf(new Date(Math.ceil((clock() + 86_400_000) / 3_600_000) * 3_600_000).toISOString(), zone);

const METHODS = [
  { value: "now", label: "Send now" },
  { value: "schedule", label: "Schedule" },
];

export const When = ({ draft, zone, refusal, growth, recipients, isLocked, onGrowth, onChange }: Props) => {
  const { method, at } = draft;
  const problem = problemsOf(draft, clock(), zone).at ?? refusal;
  const instant = instantOf(at, zone);
  return (
    <Panel title="When">
      <Stack gap="sm" align="flex-start">
        <SegmentedControl
          aria-label="When"
          data={METHODS}
          value={method}
          disabled={isLocked}
          onChange={(value) =>
            onChange(
              value === "now" ? { method: "now" } : { method: "schedule", ...(at === "" ? { at: soon(zone) } : {}) },
            )
          }
        />
        {method === "schedule" && (
          <>
            <Group align="flex-start">
              <TextInput
                id={idOfField("at")}
                label="Begins"
                type="datetime-local"
                w={260}
                description={`Time zone of the team: ${zoneText(instant === undefined ? clock() : Date.parse(instant), zone)}`}
                value={fieldOf(at)}
                error={problem}
                onChange={(event) => onChange({ at: event.currentTarget.value })}
              />
              <Select
                label="If more people match then"
                w={260}
                description={`It goes to those who match then. Above ${recipients === undefined ? "that" : peopleText(mostOf(recipients, growth))} it is held, and asks you.`}
                data={GROWTHS}
                value={String(growth)}
                onChange={(value) => value !== null && onGrowth(Number(value))}
                allowDeselect={false}
              />
            </Group>
            <Which at={at} zone={zone} onChange={onChange} />
          </>
        )}
        <Text size="sm">
          {method === "now"
            ? "It begins 30 seconds after you send it, so that you can undo it."
            : "Nothing is sent until you schedule it. After that, it waits for this time."}
        </Text>
      </Stack>
    </Panel>
  );
};

const Which = ({ at, zone, onChange }: { at: string; zone: string; onChange: Props["onChange"] }) => {
  const choices = choicesOf(at, zone);
  if (choices.length === 0) return null;
  return (
    <Radio.Group
      label="Clocks go back that night, and show this time twice. Which one?"
      value={at}
      onChange={(value) => onChange({ at: value })}
    >
      <Group gap="md" mt={4}>
        {choices.map(({ value, label }) => (
          <Radio key={value} value={value} label={label} />
        ))}
      </Group>
    </Radio.Group>
  );
};
