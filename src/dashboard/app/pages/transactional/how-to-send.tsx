import { v1 } from "virtual:routes";
import { Code, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { type Asked, curlOf, programOf } from "../../parts/acts/commands.ts";
import { CopyAs } from "../../parts/acts/copy-as.tsx";
import { Facts, Panel } from "../../parts/cards/cards.tsx";
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
    <Panel
      title="How to send it"
      aside={
        <Group gap="xs">
          <SegmentedControl size="xs" aria-label="Language" data={LANGUAGES} value={language} onChange={setLanguage} />
          <CopyAs asked={asked} />
        </Group>
      }
    >
      <Stack gap="xs">
        <Text size="sm">
          {publishedEmailMessageId === null
            ? "Once it is published, this request sends it."
            : dataVariables.length === 0
              ? "A request needs no variable."
              : "A request gives these variables. One with a fallback in the message may be left out."}
        </Text>
        <Facts facts={dataVariables.map((name) => ({ label: name, value: <Code>{`{data.${name}}`}</Code> }))} />
        <Code block tabIndex={0} className="lines">
          {language === "curl" ? curlOf(v1, asked) : programOf(v1, asked)}
        </Code>
      </Stack>
    </Panel>
  );
};
