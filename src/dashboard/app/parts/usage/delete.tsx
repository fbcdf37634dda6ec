import { Stack, Text } from "@mantine/core";
import { ActButton } from "../acts/act.tsx";
import type { Asked } from "../acts/commands.ts";
import { Uses } from "./usage.tsx";
import { sumOf, type Usage } from "./usage-words.ts";

type Props = {
  noun: "theme" | "component";
  name: string;
  isDefault?: boolean;
  usage: () => Promise<Usage>;
  remove: () => Promise<unknown>;
  onDone: () => void;
  asked: Asked;
};

/** Deletes an unused theme or component; otherwise lists its uses. */
export const DeleteUnused = ({ noun, name, isDefault = false, usage, remove, onDone, asked }: Props) => (
  <ActButton
    color="red"
    variant="outline"
    act={{
      title: `Delete the ${noun} ${name}?`,
      label: "Delete",
      color: "red",
      word: "delete",
      effect: async () => {
        if (isDefault)
          return { nothing: true, text: "Messages that name no theme use it, so it stays. Change its values instead." };
        const found = await usage();
        if (found.total + found.components.length === 0)
          return { text: "Nothing uses it. Mail that was sent stays as it is. This cannot be undone." };
        return {
          nothing: true,
          text: (
            <Stack gap="xs">
              <Text size="sm">{sumOf(found)} Take it out of their content first.</Text>
              <Uses usage={found} />
            </Stack>
          ),
        };
      },
      run: remove,
      done: () => `${name} is deleted.`,
      onDone,
      asked,
    }}
  >
    Delete
  </ActButton>
);
