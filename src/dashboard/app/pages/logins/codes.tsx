import { Button, Code, Text } from "@mantine/core";
import { api } from "../../api/api.ts";
import { copyText } from "../../parts/acts/copy-text.ts";
import { ShownOnce } from "../../parts/dialog.tsx";
import { FormDialog } from "../../parts/form/form-dialog.tsx";

/** Makes recovery codes. `has`: existing codes become invalid. */
export const Codes = ({ has }: { has: boolean }) => (
  <FormDialog
    opener={has ? "New recovery codes" : "Make recovery codes"}
    openerProps={{ variant: "default", size: "xs" }}
    title="Recovery codes"
    first={{}}
    label="Make ten codes"
    run={() => api.dashboard.recoveryCodes.create()}
    after={({ codes }, close) => <Made codes={codes} onClose={close} />}
  >
    {() => (
      <Text size="sm">
        Ten codes, each of which logs you in once, without a passkey. Print them, or put them in a password manager on
        another device.{has ? " Those of before end." : ""}
      </Text>
    )}
  </FormDialog>
);

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
