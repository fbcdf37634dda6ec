import { Badge, Button, Group, List, Stack, Text, Title } from "@mantine/core";
import type { Finding, Verdict } from "../../../../lib/lmx/guardian/guardian.ts";
import { fixWords, variableOfPath } from "../../parts/finding-words.ts";
import { labelOf } from "./message-fields.tsx";

type Item = Finding["items"][number];
type Props = { verdict: Verdict; onGo: (item: Item) => void };

const positionOf = ({ path, line }: Item): string => {
  if (path.startsWith("lmx")) return `Line ${line}`;
  const variable = variableOfPath(path);
  return variable === undefined ? labelOf(path) : `Fallback of ${variable}`;
};

/** Findings for the current text, each with a link to its place. */
export const Guardian = ({ verdict: { errors, warnings }, onGo }: Props) => (
  <Stack gap="xs" component="section" aria-label="Guardian">
    <Group gap="xs">
      <Title order={2} size="h5">
        Guardian
      </Title>
      <Count of={errors} word="error" color="red" />
      <Count of={warnings} word="warning" color="yellow" />
    </Group>
    {errors.length + warnings.length === 0 && <Text size="sm">It finds nothing.</Text>}
    {[...errors, ...warnings].map((finding) => (
      <div key={finding.rule}>
        <Text size="sm" fw={600}>
          {errors.includes(finding) ? "Error" : "Warning"}: {finding.title}
        </Text>
        <List size="sm" listStyleType="none" spacing={4}>
          {finding.items.slice(0, 10).map((item) => (
            <List.Item key={`${item.path} ${item.label} ${item.line}:${item.column}`}>
              <Group gap="xs" wrap="nowrap" align="baseline">
                <Button size="compact-sm" variant="default" onClick={() => onGo(item)} className="rigid">
                  {positionOf(item)}
                </Button>
                <Text size="sm" className="wrap">
                  {fixWords(item.fix)}
                </Text>
              </Group>
            </List.Item>
          ))}
        </List>
        {finding.items.length > 10 && <Text size="sm">and {finding.items.length - 10} more</Text>}
      </div>
    ))}
  </Stack>
);

const Count = ({ of: { length }, word, color }: { of: readonly Finding[]; word: string; color: string }) =>
  length === 0 ? null : (
    <Badge variant="light" color={color} tt="none">
      {length === 1 ? `1 ${word}` : `${length} ${word}s`}
    </Badge>
  );
