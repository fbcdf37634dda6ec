import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { api } from "../../api/api.ts";
import { CodeBlock } from "../../parts/code.tsx";
import type { WholeWebhook } from "../../parts/ledger/types.ts";
import { Answer } from "../../parts/states.tsx";

const GONE: Readonly<Record<string, string>> = {
  purged:
    "The body was purged: bodies go before the webhook itself when the journal has to shrink or its retention ends.",
  erased: "The body was erased: a person in it was erased.",
  unreadable: "The row of this webhook is damaged: its body cannot be read.",
};

/** Loads when its tab is opened only, because it may contain personal data. Access is audited. */
export const Body = ({ webhookId }: { webhookId: string }) => {
  const query = useQuery({
    queryKey: ["bridge", "webhook", webhookId, "body"],
    queryFn: () => api.bridge.webhooks.get({ webhookId, body: "1" }),
    // Each request is audited, so the page asks once.
    staleTime: "static",
  });
  return <Answer query={query}>{(webhook) => <Shown webhook={webhook} />}</Answer>;
};

const Shown = ({ webhook: { body, bodyErased } }: { webhook: WholeWebhook }) => (
  <>
    {bodyErased !== undefined && <Text size="sm">{GONE[bodyErased] ?? "The body is gone."}</Text>}
    {typeof body === "string" && <CodeBlock name="Body" text={pretty(body)} />}
  </>
);

const pretty = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};
