import { Button, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "../../api/api.ts";
import { off, useDenied } from "../../parts/acts/denied.ts";
import { Refused } from "../../parts/acts/refused.tsx";
import { rulesQuery } from "../rules/query.ts";
import { TriedResult } from "../rules/tried.tsx";

/** Result of today's rules beside the original. Nothing is sent. */
export const Today = ({ webhookId, source }: { webhookId: string; source: string }) => {
  const [wanted, setWanted] = useState(false);
  const denied = useDenied({ api: "bridge", name: "rules.run?webhook" });
  const rules = useQuery({ ...rulesQuery, enabled: wanted });
  const tried = useQuery({
    queryKey: ["bridge", "try", webhookId],
    queryFn: () => api.bridge.rules.run({ webhook: webhookId }),
    enabled: wanted,
    retry: false,
    // Each request is audited, so the page asks once per opening.
    staleTime: "static",
    gcTime: 0,
  });
  const ofSource = rules.data?.data.filter((rule) => rule.source === source) ?? [];
  return (
    <section aria-labelledby="today">
      <Title id="today" order={2} size="h4" mb="sm">
        Today's rules
      </Title>
      {!wanted && (
        <Button variant="default" size="xs" {...off(denied)} onClick={() => denied === undefined && setWanted(true)}>
          Try with today's rules
        </Button>
      )}
      {tried.error && <Refused error={tried.error} />}
      {tried.data && (
        <TriedResult
          result={tried.data}
          conditions={Object.fromEntries(ofSource.map(({ name, when }) => [name, when]))}
        />
      )}
    </section>
  );
};
