import { Alert, Button, Code, Group, SegmentedControl, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { MailFrame } from "../../parts/mail-frame/frame.tsx";
import { hasRemote, previewOf } from "../../parts/mail-frame/preview.ts";
import { Answer } from "../../parts/states.tsx";

type Content = Awaited<ReturnType<typeof api.email.sends.content>>;
export type View = "rendered" | "text" | "headers";

export const ContentOf = ({ team, sendId, view }: { team: string; sendId: string; view: View }) => {
  const query = useQuery({
    queryKey: ["email", team, "send", sendId, "content"],
    queryFn: ({ signal }) => api.email.sends.content({ team, sendId }, { signal }),
  });
  return (
    <Stack gap="sm">
      <Answer query={query}>{(content) => <Whole content={content} view={view} />}</Answer>
    </Stack>
  );
};

const Whole = ({ content, view }: { content: Content; view: View }) => {
  const { note, html, attachments } = content;
  return (
    <>
      {note !== null && (
        <Alert variant="light" color="span" title={html === null ? "Deleted" : "Not all is as it was sent"}>
          {note}
        </Alert>
      )}
      <Shown content={content} view={view} />
      {attachments > 0 && (
        <Text size="sm">
          It had {attachments === 1 ? "1 attachment" : `${attachments} attachments`}, which are not stored after it is
          sent.
        </Text>
      )}
    </>
  );
};

const Shown = ({ content: { html, text, headers }, view }: { content: Content; view: View }) => {
  if (html === null || text === null) return null;
  if (view === "rendered") return <Rendered html={html} />;
  if (view === "headers") return <Headers headers={headers} />;
  return (
    <Code block className="lines">
      {text}
    </Code>
  );
};

const WIDTHS = [
  { value: "600", label: "Desktop, 600 px" },
  { value: "375", label: "Phone, 375 px" },
];
const SCHEMES = [
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

export const Rendered = ({ html, title = "The mail as its recipient sees it" }: { html: string; title?: string }) => {
  const [width, setWidth] = useState("600");
  const [scheme, setScheme] = useState("light");
  const [withImages, setWithImages] = useState(false);
  const shown = previewOf(html, { isDark: scheme === "dark", withImages });
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SegmentedControl size="xs" aria-label="Width" data={WIDTHS} value={width} onChange={setWidth} />
        <SegmentedControl size="xs" aria-label="Scheme" data={SCHEMES} value={scheme} onChange={setScheme} />
        {!withImages && hasRemote(html) && (
          <Button size="xs" variant="default" onClick={() => setWithImages(true)}>
            Load images
          </Button>
        )}
      </Group>
      <MailFrame key={String(withImages)} html={shown} width={Number(width)} title={title} withImages={withImages} />
    </Stack>
  );
};

const Headers = ({ headers }: { headers: Content["headers"] }) => (
  <Table.ScrollContainer minWidth={300}>
    <Table variant="vertical" aria-label="headers">
      <Table.Tbody>
        {headers.map(({ name, value }) => (
          <Table.Tr key={name}>
            <Table.Th w={200}>{name}</Table.Th>
            <Table.Td className="wrap">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
