import { useDebouncedValue } from "@mantine/hooks";
import { useEffect, useState } from "react";
import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { api } from "../../api/api.ts";
import { EXPIRED, isLoggedOut, queries } from "../../api/queries.ts";
import { type Count, countOn } from "./count.ts";

/** Counts of a filter. `both`: in the stored and the new filter. `of`: filter as JSON. */
export type Counts = { of: string; now?: Count; stored?: Count; both?: Count; isOver: boolean; error?: Error };

type Asked = {
  team: string;
  filter: AudienceFilter | undefined;
  stored: { id: string; filter: AudienceFilter } | undefined;
};

/** Debounce in ms. */
const PAUSE = 250;

/** Counts an edited filter: estimate, exact count, and change from the stored segment. */
export const useCounts = ({ team, filter, stored }: Asked): (Counts & { retry: () => void }) | undefined => {
  const [text] = useDebouncedValue(filter && JSON.stringify(filter), PAUSE);
  const [counts, setCounts] = useState<Counts>();
  const [attempt, setAttempt] = useState(0);
  const storedId = stored && JSON.stringify(stored.filter) !== text ? stored.id : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt counts again
  useEffect(() => {
    if (text === undefined) return;
    let isStopped = false;
    const wanted = JSON.parse(text) as AudienceFilter;
    setCounts({ of: text, isOver: false });
    const count = (fields: object, name: "now" | "stored" | "both") =>
      countOn(
        (more) => api.email.audience.estimate({ team, ...fields, ...more }),
        (found) => setCounts((before) => before && { ...before, [name]: found }),
        () => isStopped,
      );
    const run = async () => {
      await count({ filter: wanted }, "now");
      if (storedId !== undefined && !isStopped) await count({ audienceSegmentId: storedId, filter: wanted }, "both");
      if (storedId !== undefined && !isStopped) await count({ audienceSegmentId: storedId }, "stored");
    };
    run()
      .then(() => !isStopped && setCounts((before) => before && { ...before, isOver: true }))
      .catch((error: Error) => {
        if (isLoggedOut(error)) queries.setQueryData(EXPIRED, true);
        if (!isStopped) setCounts((before) => before && { ...before, isOver: true, error });
      });
    return () => {
      isStopped = true;
    };
  }, [team, text, storedId, attempt]);
  return counts && { ...counts, retry: () => setAttempt(attempt + 1) };
};
