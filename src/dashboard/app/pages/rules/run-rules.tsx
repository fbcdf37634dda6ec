import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "../../api/api.ts";
import { useDraft } from "../../parts/acts/draft.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { Panel } from "../../parts/cards/cards.tsx";
import { type Result, TriedResult } from "./tried.tsx";

type Given = { body: string; type: string; webhook: string };
type Asked = Parameters<typeof api.bridge.rules.run>[0];

/** Throws the browser's error for invalid JSON. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${(error as Error).message}`);
  }
};

/** Some providers send the type in a header. The default is the rule's type. */
const askedOf = (source: string, usual: string | undefined, { body, type, webhook }: Given): Asked => {
  if (webhook.trim() !== "") return { webhook: webhook.trim() };
  const sent = parsed(body);
  // The bridge refuses values that are not objects.
  const own = (sent as { type?: unknown } | null)?.type;
  const named = type.trim() || (typeof own === "string" ? own : usual);
  return { source, body: sent, ...(named ? { type: named } : {}) } as Asked;
};

/** Tries rules on a body or stored webhook. Typed text stays in the tab. */
export const RunRules = ({
  source,
  type,
  conditions,
}: {
  source: string;
  type: string | undefined;
  conditions: Readonly<Record<string, string | null>>;
}) => {
  const [given, setGiven] = useDraft<Given>(`try ${source}`, { body: "", type: "", webhook: "" });
  const [asked, setAsked] = useState<{ given: Given; at: number }>();
  const result = useQuery({
    queryKey: ["bridge", "try", source, asked],
    queryFn: async (): Promise<Result> => api.bridge.rules.run(askedOf(source, type, asked?.given ?? given)),
    enabled: asked !== undefined,
    retry: false,
    staleTime: "static",
    gcTime: 0,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setAsked({ given, at: (asked?.at ?? 0) + 1 });
  };
  const change = (name: keyof Given) => (event: { currentTarget: { value: string } }) =>
    setGiven({ ...given, [name]: event.currentTarget.value });
  return (
    <Panel title="Try">
      <Stack gap="sm">
        <form
          onSubmit={submit}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) submit(event);
          }}
        >
          <Stack gap="xs">
            <Textarea
              label="Body"
              description="JSON, as the provider sends it"
              value={given.body}
              onChange={change("body")}
              rows={10}
              spellCheck={false}
              disabled={given.webhook.trim() !== ""}
            />
            <Group gap="sm" align="flex-end">
              <TextInput
                size="xs"
                label="Type"
                placeholder={type ?? "taken from the body"}
                value={given.type}
                onChange={change("type")}
              />
              <TextInput
                size="xs"
                label="Or a stored webhook"
                placeholder="wh_…"
                value={given.webhook}
                onChange={change("webhook")}
              />
              <Button size="xs" type="submit" loading={result.isFetching} title="⌘Enter or Ctrl-Enter">
                Try
              </Button>
            </Group>
          </Stack>
        </form>
        {result.error && <Refused error={result.error} />}
        {result.data && <TriedResult result={result.data} conditions={conditions} />}
      </Stack>
    </Panel>
  );
};
