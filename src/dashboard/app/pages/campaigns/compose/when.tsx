import { Group, Radio, Stack, Text, TextInput, Title } from "@mantine/core";
import { clock, zoneText } from "../../../parts/time.ts";
import { type Draft, problemsOf } from "./draft.ts";
import { idOfField } from "./ids.ts";
import { choicesOf, fieldOf, instantOf, localOf } from "./local-time.ts";

type Props = { draft: Draft; zone: string; refusal: string | undefined; onChange: (changes: Partial<Draft>) => void };

const soon = (zone: string): string =>
  localOf(new Date(Math.ceil((clock() + 86_400_000) / 3_600_000) * 3_600_000).toISOString(), zone);

export const When = ({ draft, zone, refusal, onChange }: Props) => {
  const { method, at } = draft;
  const problem = problemsOf(draft, clock(), zone).at ?? refusal;
  const instant = instantOf(at, zone);
  return (
    <Stack gap="xs" component="section" aria-labelledby="time">
      <Title order={2} size="h4" id="time">
        Time
      </Title>
      <Radio.Group
        aria-labelledby="time"
        value={method}
        onChange={(value) =>
          onChange(
            value === "now" ? { method: "now" } : { method: "schedule", ...(at === "" ? { at: soon(zone) } : {}) },
          )
        }
      >
        <Group gap="md">
          <Radio value="now" label="Send now" />
          <Radio value="schedule" label="Schedule" />
        </Group>
      </Radio.Group>
      {method === "schedule" && (
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
      )}
      {method === "schedule" && <Which at={at} zone={zone} onChange={onChange} />}
      <Text size="sm">
        {method === "now"
          ? "It begins 30 seconds after you send it, so that you can undo it."
          : "Nothing is sent until you schedule it. After that, it waits for this time."}
      </Text>
    </Stack>
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
