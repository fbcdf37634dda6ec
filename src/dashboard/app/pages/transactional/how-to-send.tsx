import { v1 } from "virtual:routes";
import { Code, Group, SegmentedControl, Stack, Table, Text, Title } from "@mantine/core";
import { useState } from "react";
import { type Asked, curlOf, programOf } from "../../parts/acts/commands.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { exampleValues, type Listed } from "./state.ts";

const LANGUAGES = ["curl", "JavaScript"];

/** Sample request with the required variables. */
export const HowToSend = ({ email: { id, dataVariables, publishedEmailMessageId } }: { email: Listed }) => {
  const [language, setLanguage] = useState("curl");
  const asked: Asked = {
    api: "v1",
    name: "transactional.send",
    fields: {
      transactionalId: id,
      email: "ada@example.com",
      ...(dataVariables.length > 0 ? { dataVariables: exampleValues(dataVariables) } : {}),
    },
  };
  return (
    <Stack gap="xs" component="section" aria-labelledby="how-to-send">
      <Title id="how-to-send" order={2} size="h4">
        How to send it
      </Title>
      <Text size="sm">
        {publishedEmailMessageId === null
          ? "Once it is published, this request sends it."
          : dataVariables.length === 0
            ? "A request needs no variable."
            : "A request gives these variables. One with a fallback in the message may be left out."}
      </Text>
      {dataVariables.length > 0 && (
        <Table aria-label="variables" maw={480} verticalSpacing={4}>
          <Table.Tbody>
            {dataVariables.map((name) => (
              <Table.Tr key={name}>
                <Table.Td className="mono">{name}</Table.Td>
                <Table.Td className="mono">{`{data.${name}}`}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Group gap="xs">
        <SegmentedControl size="xs" aria-label="Language" data={LANGUAGES} value={language} onChange={setLanguage} />
        <CopyAs asked={asked} />
      </Group>
      <Code block tabIndex={0} className="lines">
        {language === "curl" ? curlOf(v1, asked) : programOf(v1, asked)}
      </Code>
    </Stack>
  );
};
