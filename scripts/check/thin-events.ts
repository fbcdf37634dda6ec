import { handlerOf, type Source } from "../../src/sources.ts";
import type { Problem } from "./problem.ts";

/** Notes each source where thin events would wait, because the key of its API is not set on this machine. */
export const checkThinEvents = (
  sources: Readonly<Record<string, Source>>,
  vars: Readonly<Record<string, string | undefined>>,
  only: string | undefined,
): Problem[] =>
  Object.entries(sources).flatMap(([name, source]): Problem[] => {
    const key = source.fetchBack?.key;
    if (!handlerOf(source).api?.thinEvents || (only !== undefined && only !== name)) return [];
    if (key !== undefined && vars[key]?.trim()) return [];
    const missing =
      key === undefined
        ? "the source has no fetchBack with the name of a key: thin events (v1.*, v2.*) are not fetched"
        : `${key} is not set on this machine: thin events (v1.*, v2.*) wait for their data until the bridge has the key`;
    return [
      { level: "note", source: name, message: `${missing}. Snapshot events need no key. See docs/thin-events.md` },
    ];
  });
