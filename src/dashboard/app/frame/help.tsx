import { Kbd, Stack, Switch, Table } from "@mantine/core";
import { useState } from "react";
import { Dialog } from "../parts/dialog.tsx";
import { keysAreOn, switchKeys } from "../parts/keys.ts";
import type { NavEntry } from "../parts/page/navigation.ts";

export const Help = ({
  opened,
  onClose,
  entries,
}: {
  opened: boolean;
  onClose: () => void;
  entries: readonly NavEntry[];
}) => {
  const [on, setOn] = useState(keysAreOn);
  const rows: [string, string][] = [
    ["⌘K or Ctrl-K", "Search people, mail, webhooks, pages"],
    ["/", "Search in a list"],
    ["j, k", "Next and previous row"],
    ["x", "Select the row"],
    ["r, d", "Retry or discard the delivery, or all deliveries of the cause, that has the focus"],
    ["r", "Replay the webhook that is shown, or check the records of the sending domain"],
    ["[, ]", "Newer and older webhook"],
    ["n", "New person, list, property, suppression, import, segment, sending domain or outgoing webhook"],
    ["e, s", "Edit the properties of the person, or suppress the address"],
    ["y", "Copy the story of the person as text"],
    ["c", "Copy the address of the source"],
    ["p", "Pause or resume all deliveries, on Throughput"],
    ["?", "This help"],
    ...entries.flatMap(({ key, label }): [string, string][] => (key === undefined ? [] : [[`g ${key}`, label]])),
  ];
  return (
    <Dialog opened={opened} onClose={onClose} title="Keys">
      <Stack>
        <Table>
          <Table.Tbody>
            {rows.map(([key, what]) => (
              <Table.Tr key={key}>
                <Table.Td>
                  <Kbd>{key}</Kbd>
                </Table.Td>
                <Table.Td>{what}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
        <Switch
          label="Single keys are on"
          checked={on}
          onChange={({ currentTarget: { checked } }) => {
            switchKeys(checked);
            setOn(checked);
          }}
        />
      </Stack>
    </Dialog>
  );
};
