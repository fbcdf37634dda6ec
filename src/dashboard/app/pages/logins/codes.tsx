import { Button, Code, Group, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { api } from "../../api/api.ts";
import { useAct } from "../../api/use-act.ts";
import { copyText } from "../../parts/acts/copy-text.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { Dialog, ShownOnce, useBusy } from "../../parts/dialog.tsx";

/** Makes recovery codes. `has`: existing codes become invalid. */
export const Codes = ({ has }: { has: boolean }) => {
  const [opened, { open, close }] = useDisclosure();
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {has ? "New recovery codes" : "Make recovery codes"}
      </Button>
      <Dialog opened={opened} onClose={close} title="Recovery codes" closeOnClickOutside={false}>
        <Make has={has} onClose={close} />
      </Dialog>
    </>
  );
};

const Make = ({ has, onClose }: { has: boolean; onClose: () => void }) => {
  // Keeps the earlier state, because codes exist afterwards in any case.
  const make = useAct({ mutationFn: () => api.dashboard.recoveryCodes.create() });
  // The codes are shown only once, so the dialog must stay open.
  useBusy(make.isPending);
  if (make.data) return <Made codes={make.data.codes} onClose={onClose} />;
  return (
    <Stack gap="sm">
      {make.error && <Refused error={make.error} onProved={() => make.mutate()} />}
      <Text size="sm">
        Ten codes, each of which logs you in once, without a passkey. Print them, or put them in a password manager on
        another device.{has ? " Those of before end." : ""}
      </Text>
      <Group justify="flex-end">
        <Button onClick={() => make.mutate()} loading={make.isPending} data-autofocus>
          Make ten codes
        </Button>
      </Group>
    </Stack>
  );
};

const Made = ({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) => (
  <ShownOnce
    onClose={onClose}
    have="I have them"
    beside={
      <Button variant="default" onClick={() => copyText("The recovery codes are", codes.join("\n"))} data-autofocus>
        Copy all
      </Button>
    }
  >
    <Text size="sm">Keep them now: they are not shown again.</Text>
    <Code block>{codes.join("\n")}</Code>
  </ShownOnce>
);
