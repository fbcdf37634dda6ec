import { Alert, Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import type { MessageSource } from "../../../../lib/lmx/message/message-source.ts";
import type { Editing } from "./editing.ts";
import { linesOf } from "./lines.ts";
import { labelOf } from "./message-fields.tsx";

const textOf = (value: MessageSource[keyof MessageSource]): string =>
  typeof value === "string" ? value : JSON.stringify(value, null, 2);

const Compared = ({ title, text, other }: { title: string; text: string; other: string }) => (
  <Stack gap={2}>
    <Text size="sm" fw={600}>
      {title}
    </Text>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a text that scrolls has to be reached by keys */}
    <section className="compared" aria-label={title} tabIndex={0}>
      {linesOf(text, other).map(({ line, isOnly }, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
        <div key={n} className={isOnly ? "only" : undefined}>
          {isOnly ? "± " : "  "}
          {line}
        </div>
      ))}
    </section>
  </Stack>
);

/** Shows differing fields with both texts. */
export const Differences = ({
  fields,
  left,
  right,
}: {
  fields: readonly string[];
  left: { title: string; content: Partial<MessageSource> };
  right: { title: string; content: Partial<MessageSource> };
}) =>
  fields.map((name) => {
    const [one, other] = [left, right].map(({ content }) => textOf(content[name as keyof MessageSource] ?? ""));
    return (
      <SimpleGrid key={name} cols={{ base: 1, sm: 2 }} spacing="sm">
        <Compared title={`${left.title}: ${labelOf(name)}`} text={one ?? ""} other={other ?? ""} />
        <Compared title={`${right.title}: ${labelOf(name)}`} text={other ?? ""} other={one ?? ""} />
      </SimpleGrid>
    );
  });

/** Shows both texts after a concurrent save. Nothing is lost. */
export const Conflict = ({ editing }: { editing: Editing }) => {
  const { saved, changes, keepMine, takeTheirs } = editing;
  return (
    <Alert color="orange" title="Somebody else has saved this message since you began" role="alert">
      <Stack gap="sm">
        <Text size="sm">
          Your changes are not saved. Keep yours to go on with them over what was saved meanwhile, or take theirs: yours
          are put aside then, and can be brought back.
        </Text>
        <Differences
          fields={Object.keys(changes)}
          left={{ title: "Mine", content: changes }}
          right={{ title: "Theirs", content: saved }}
        />
        <Group gap="xs">
          <Button size="xs" onClick={keepMine}>
            Keep mine
          </Button>
          <Button size="xs" variant="default" onClick={takeTheirs}>
            Take theirs
          </Button>
        </Group>
      </Stack>
    </Alert>
  );
};

/** Offers to restore text that was set aside. */
export const Aside = ({ onBringBack }: { onBringBack: () => void }) => (
  <Alert variant="light" color="span" title="Your changes from before are put aside">
    <Button size="xs" variant="default" onClick={onBringBack}>
      Bring them back
    </Button>
  </Alert>
);
