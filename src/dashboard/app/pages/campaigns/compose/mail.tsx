import { Group, Stack, Text, Title } from "@mantine/core";
import { MessageButton } from "../../../parts/usage/message-link.tsx";
import { type Message, senderOf } from "../message.ts";
import type { SendAnswer } from "./use-checks.ts";

const inMail = (found: SendAnswer["problems"]) =>
  found.filter(({ path, code }) => path?.startsWith("emailMessage") && code !== "same_content").length;

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const guardianText = ({ problems, warnings }: SendAnswer): string => {
  const [errors, hints] = [inMail(problems), inMail(warnings)];
  if (errors + hints === 0) return "The Guardian finds nothing.";
  const parts = [...(errors > 0 ? [many(errors, "error")] : []), ...(hints > 0 ? [many(hints, "warning")] : [])];
  return `The Guardian finds ${parts.join(" and ")}: see below.`;
};

export const Mail = ({ message, checks }: { message: Message; checks: SendAnswer | undefined }) => {
  const { id, subject } = message;
  return (
    <Stack gap="xs" component="section" aria-labelledby="mail">
      <Title order={2} size="h4" id="mail">
        Mail
      </Title>
      <Stack gap={2}>
        <Text size="sm" fw={600} className="wrap">
          {subject || "It has no subject yet."}
        </Text>
        <Text size="sm" className="wrap">
          From {senderOf(message)}
        </Text>
        {checks && (
          <Text size="sm" role="status">
            {guardianText(checks)}
          </Text>
        )}
      </Stack>
      <Group>
        <MessageButton emailMessageId={id} variant={subject === "" ? "filled" : "default"}>
          {subject === "" ? "Write the mail" : "Edit the mail"}
        </MessageButton>
      </Group>
    </Stack>
  );
};
