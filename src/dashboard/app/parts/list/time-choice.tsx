import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { Filters } from "../filters.ts";
import { LAST } from "./time-text.ts";

const DAYS = ["24h", "7d", "30d"] as const;

/** The value of a date field for a time, in the zone of this browser. */
const fieldText = (time: string | undefined, isOfDays: boolean): string => {
  const at = Date.parse(time ?? "");
  if (Number.isNaN(at)) return "";
  if (isOfDays) return new Date(at).toISOString().slice(0, 10);
  return new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
};

const dayAgo = (ago: string, now: number): string =>
  new Date(now - (ago === "24h" ? 1 : Number.parseInt(ago, 10)) * 86_400_000).toISOString().slice(0, 10);

/** Choice of a time: the last hours or days, or from and until. */
export const TimeChoice = ({
  filters,
  isOfDays,
  onTake,
}: {
  filters: Filters;
  isOfDays: boolean;
  onTake: (time: Filters) => void;
}) => {
  const [from, setFrom] = useState(fieldText(filters.since, isOfDays));
  const [to, setTo] = useState(fieldText(filters.until, isOfDays));
  const type = isOfDays ? "date" : "datetime-local";
  const timeOf = (text: string) => (text === "" || isOfDays ? text : new Date(text).toISOString());
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onTake({ since: timeOf(from), until: timeOf(to) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <Group gap={6}>
          {(isOfDays ? DAYS : Object.keys(LAST)).map((ago) => (
            <Button
              key={ago}
              size="xs"
              variant="default"
              onClick={() => onTake({ since: isOfDays ? dayAgo(ago, Date.now()) : ago })}
            >
              {LAST[ago]}
            </Button>
          ))}
        </Group>
        <TextInput label="From" type={type} value={from} onChange={(event) => setFrom(event.currentTarget.value)} />
        <TextInput
          label="Until"
          description="Empty: until now"
          type={type}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit">Apply</Button>
        </Group>
      </Stack>
    </form>
  );
};
