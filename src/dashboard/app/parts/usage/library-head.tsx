import { Alert, Badge, Stack, Text } from "@mantine/core";
import { counted } from "../ledger/ledger-words.ts";
import { PageHead } from "../page/page.tsx";
import { Copyable } from "../states.tsx";
import { Id } from "../text.tsx";

type Props = {
  of: { id: string; name: string; isDefault?: boolean; pendingEmailCount: number; failedEmailCount: number };
  lmx: string;
  gives: "values" | "content";
};

export const LibraryHead = ({ of, lmx, gives }: Props) => (
  <Stack gap="xs">
    <PageHead
      name={of.name}
      meta={
        <>
          {of.isDefault && (
            <Badge variant="light" color="span" tt="none">
              default: messages that name no theme use it
            </Badge>
          )}
          <Id>{of.id}</Id>
        </>
      }
    />
    <Copyable text={lmx} label="Copy the LMX" />
    {of.pendingEmailCount > 0 && (
      <Text size="sm">
        {counted(of.pendingEmailCount, "message")} {of.pendingEmailCount === 1 ? "waits" : "wait"} for the newest{" "}
        {gives}.
      </Text>
    )}
    {of.failedEmailCount > 0 && (
      <Alert
        color="orange"
        variant="light"
        title={`${counted(of.failedEmailCount, "message")} kept the ${gives} of before`}
      >
        {of.failedEmailCount === 1 ? "It" : "They"} could not be sent with the newest {gives}. "Used by" says why.
      </Alert>
    )}
  </Stack>
);
