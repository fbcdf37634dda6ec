import { useEffect, useId, useSyncExternalStore } from "react";

/** `ages`: when the answers of the page were read, in Unix ms. */
type Heading = { title: string; ages: ReadonlyMap<string, number> };

let heading: Heading = { title: "", ages: new Map() };
const listeners = new Set<() => void>();

const change = (changes: Partial<Heading>): void => {
  heading = { ...heading, ...changes };
  for (const listen of listeners) listen();
};

const subscribe = (listen: () => void): (() => void) => {
  listeners.add(listen);
  return () => void listeners.delete(listen);
};

/** Returns what the bar above the page shows. */
export const useHeading = (): Heading => useSyncExternalStore(subscribe, () => heading);

/** Names the page: in its tab, and in the bar above it. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Mailspan`;
    change({ title });
  }, [title]);
};

/** Notes when an answer of the page was read, in Unix ms. 0 if never. */
export const useAge = (at: number): void => {
  const id = useId();
  useEffect(() => {
    if (at === 0) return undefined;
    change({ ages: new Map(heading.ages).set(id, at) });
    return () => {
      const ages = new Map(heading.ages);
      ages.delete(id);
      change({ ages });
    };
  }, [id, at]);
};
