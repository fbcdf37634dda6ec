import type { IconName } from "../icon-paths.ts";

type Half = "bridge" | "email";

/** A page of an entry. `needs`: required half. */
export type Tab = { to: string; label: string; needs?: Half };

/** A navigation entry. `key`: letter after `g`. `area`: heading. */
export type NavEntry = Tab & { icon: IconName; area?: Area; key: string; tabs?: readonly Tab[] };

export type Area = "Mail" | "Audience" | "Webhooks" | "Foot";

const entries: readonly NavEntry[] = [
  { to: "/", label: "Overview", icon: "overview", key: "o" },
  { to: "/campaigns", label: "Campaigns", icon: "campaigns", area: "Mail", needs: "email", key: "a" },
  {
    to: "/workflows",
    label: "Workflows",
    icon: "workflows",
    area: "Mail",
    needs: "email",
    key: "f",
    tabs: [
      { to: "/workflows", label: "Workflows", needs: "email" },
      { to: "/workflows/events", label: "Events" },
    ],
  },
  { to: "/transactional", label: "Transactional", icon: "transactional", area: "Mail", key: "t" },
  {
    to: "/templates",
    label: "Templates",
    icon: "templates",
    area: "Mail",
    needs: "email",
    key: "e",
    tabs: [
      { to: "/templates", label: "Yours" },
      { to: "/templates/components", label: "Components" },
      { to: "/templates/brand", label: "Brand" },
      { to: "/templates/pictures", label: "Pictures", needs: "email" },
    ],
  },
  { to: "/sent", label: "Sent mail", icon: "mail", area: "Mail", needs: "email", key: "m" },
  {
    to: "/people",
    label: "People",
    icon: "people",
    area: "Audience",
    key: "p",
    tabs: [
      { to: "/people", label: "Everyone" },
      { to: "/people/lists", label: "Lists" },
      { to: "/people/suppressed", label: "Suppressed" },
      { to: "/people/imports", label: "Imports", needs: "email" },
      { to: "/people/properties", label: "Properties" },
    ],
  },
  { to: "/segments", label: "Segments", icon: "segments", area: "Audience", needs: "email", key: "s" },
  {
    to: "/webhooks",
    label: "Webhooks",
    icon: "webhooks",
    area: "Webhooks",
    needs: "bridge",
    key: "w",
    tabs: [
      { to: "/webhooks", label: "Received", needs: "bridge" },
      { to: "/webhooks/replays/new", label: "Replays", needs: "bridge" },
    ],
  },
  {
    to: "/deliveries",
    label: "Deliveries",
    icon: "deliveries",
    area: "Webhooks",
    needs: "bridge",
    key: "d",
    tabs: [
      { to: "/deliveries", label: "Failed", needs: "bridge" },
      { to: "/deliveries/waiting", label: "Waiting", needs: "bridge" },
      { to: "/deliveries/all", label: "All", needs: "bridge" },
      { to: "/deliveries/throughput", label: "Throughput", needs: "bridge" },
    ],
  },
  {
    to: "/sources",
    label: "Sources",
    icon: "sources",
    area: "Webhooks",
    needs: "bridge",
    key: "u",
    tabs: [
      { to: "/sources", label: "Sources", needs: "bridge" },
      { to: "/sources/rules", label: "Rules", needs: "bridge" },
    ],
  },
  {
    to: "/settings",
    label: "Settings",
    icon: "settings",
    area: "Foot",
    key: ",",
    tabs: [
      { to: "/settings", label: "General" },
      { to: "/settings/domains", label: "Sending domains", needs: "email" },
      { to: "/settings/keys", label: "API keys", needs: "email" },
      { to: "/settings/webhooks", label: "Outgoing webhooks", needs: "email" },
      { to: "/settings/members", label: "Members" },
      { to: "/settings/audit", label: "Audit log" },
    ],
  },
];

type Halves = { bridge: object | null; email: object | null };

const isThere =
  (about: Halves) =>
  ({ needs }: Tab): boolean =>
    needs === undefined || about[needs] !== null;

/** Entries with a deployed half. */
export const entriesFor = (about: Halves): NavEntry[] =>
  entries
    .filter(isThere(about))
    .map(({ tabs, ...entry }) => (tabs ? { ...entry, tabs: tabs.filter(isThere(about)) } : entry));

const isBelow = (path: string, { to }: Tab): boolean => path === to || path.startsWith(to === "/" ? to : `${to}/`);

const longest = <T extends Tab>(found: readonly T[]): T | undefined =>
  found.toSorted((a, b) => b.to.length - a.to.length)[0];

/** The entry of a path. */
export const entryAt = (path: string): NavEntry | undefined =>
  path === "/" || path === "/alerts"
    ? entries[0]
    : longest(entries.filter((one) => one.to !== "/" && isBelow(path, one)));

/** The tab of a path. A page below an entry without its own tab is below the first one. */
export const tabAt = (path: string): Tab | undefined =>
  longest(entryAt(path)?.tabs?.filter((tab) => isBelow(path, tab)) ?? []);

/** The sections of the settings, beside each of its pages. */
export const sectionsAt = (path: string, about: Halves): readonly Tab[] => {
  const entry = entryAt(path);
  return entry?.area === "Foot" ? (entry.tabs ?? []).filter(isThere(about)) : [];
};

/** The tabs of a page that is one of them. */
export const tabsAt = (path: string, about: Halves): readonly Tab[] => {
  const tabs = entryAt(path)?.tabs ?? [];
  return tabs.some(({ to }) => to === path) ? tabs.filter(isThere(about)) : [];
};

/** The named place of a path: a tab, or the entry where the tab is its first page. */
export const placeAt = (path: string): Tab | undefined => {
  const [entry, tab] = [entryAt(path), tabAt(path)];
  return tab && tab.to !== entry?.to ? tab : entry;
};

/** Returns what a page needs that is not deployed. Undefined if the page can be shown. */
export const missingAt = (path: string, about: Halves): (Tab & { needs: Half }) | undefined => {
  const place = placeAt(path);
  const { needs } = place ?? {};
  return place && needs && about[needs] === null ? { ...place, needs } : undefined;
};

/** Groups entries by heading in navigation order. */
export const areasOf = (given: readonly NavEntry[]): { area: Area | undefined; entries: NavEntry[] }[] =>
  [...new Set(given.map(({ area }) => area))].map((area) => ({
    area,
    entries: given.filter((navEntry) => navEntry.area === area),
  }));

/** All pages that the palette offers: entries, and the tabs below them. */
export const placesFor = (about: Halves): { to: string; label: string; icon: IconName }[] =>
  entries.flatMap((entry) => {
    const { icon, tabs = [] } = entry;
    const own = isThere(about)(entry) ? [entry] : [];
    return [...own, ...tabs.filter((tab) => tab.to !== entry.to && isThere(about)(tab))].map(({ to, label }) => ({
      to,
      label,
      icon,
    }));
  });
