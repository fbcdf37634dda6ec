import type { IconName } from "../parts/icons.tsx";

/** A navigation entry. `needs`: required half. `key`: letter after `g`. `area`: heading, none for the first page. */
export type NavEntry = {
  to: string;
  label: string;
  icon: IconName;
  area?: Area;
  needs?: "bridge" | "email";
  key?: string;
};

export type Area = "Audience" | "Messages" | "Webhooks" | "Settings";

const entries: readonly NavEntry[] = [
  { to: "/", label: "Overview", icon: "overview", key: "o" },
  { to: "/people", label: "People", icon: "people", area: "Audience", key: "p" },
  { to: "/segments", label: "Segments", icon: "segments", area: "Audience", needs: "email", key: "e" },
  { to: "/lists", label: "Lists", icon: "lists", area: "Audience", key: "l" },
  { to: "/properties", label: "Properties", icon: "properties", area: "Audience" },
  { to: "/suppressions", label: "Suppressions", icon: "suppressions", area: "Audience", key: "x" },
  { to: "/imports", label: "Imports", icon: "imports", area: "Audience", needs: "email", key: "i" },
  { to: "/events", label: "Events", icon: "events", area: "Audience", key: "v" },
  { to: "/mail", label: "Mail", icon: "mail", area: "Messages", needs: "email", key: "m" },
  { to: "/transactional", label: "Transactional", icon: "transactional", area: "Messages", key: "t" },
  { to: "/campaigns", label: "Campaigns", icon: "campaigns", area: "Messages", needs: "email", key: "a" },
  { to: "/workflows", label: "Workflows", icon: "workflows", area: "Messages", needs: "email", key: "f" },
  { to: "/themes", label: "Themes", icon: "themes", area: "Messages" },
  { to: "/components", label: "Components", icon: "components", area: "Messages" },
  { to: "/uploads", label: "Uploads", icon: "uploads", area: "Messages", needs: "email" },
  { to: "/webhooks", label: "Webhooks", icon: "webhooks", area: "Webhooks", needs: "bridge", key: "w" },
  { to: "/deliveries", label: "Deliveries", icon: "deliveries", area: "Webhooks", needs: "bridge", key: "d" },
  { to: "/rules", label: "Rules", icon: "rules", area: "Webhooks", needs: "bridge" },
  { to: "/sources", label: "Sources", icon: "sources", area: "Webhooks", needs: "bridge", key: "s" },
  { to: "/replay", label: "Replay", icon: "replay", area: "Webhooks", needs: "bridge" },
  { to: "/health", label: "Health", icon: "health", area: "Webhooks", needs: "bridge", key: "h" },
  { to: "/settings/keys", label: "API keys", icon: "settings", area: "Settings", needs: "email", key: "k" },
  { to: "/settings/domains", label: "Sending domains", icon: "settings", area: "Settings", needs: "email", key: "n" },
  {
    to: "/settings/webhooks",
    label: "Outgoing webhooks",
    icon: "settings",
    area: "Settings",
    needs: "email",
    key: "u",
  },
  { to: "/settings/team", label: "Team", icon: "settings", area: "Settings", needs: "email" },
  { to: "/settings/people", label: "Logins and roles", icon: "settings", area: "Settings" },
  { to: "/settings/audit", label: "Audit", icon: "settings", area: "Settings" },
  { to: "/settings", label: "Settings", icon: "settings", area: "Settings" },
];

type Halves = { bridge: object | null; email: object | null };

/** Places with a deployed half. */
export const entriesFor = (about: Halves): NavEntry[] =>
  entries.filter(({ needs }) => needs === undefined || about[needs] !== null);

/** The place of a path. Subpages may have a separate place. */
export const entryAt = (path: string): NavEntry | undefined =>
  entries.filter(({ to }) => path === to || path.startsWith(`${to}/`)).toSorted((a, b) => b.to.length - a.to.length)[0];

/** The place of a page with a missing half. Undefined if the page can be shown. */
export const missingAt = (path: string, about: Halves): (NavEntry & { needs: "bridge" | "email" }) | undefined => {
  const entry = entryAt(path);
  const { needs } = entry ?? {};
  return entry && needs && about[needs] === null ? { ...entry, needs } : undefined;
};

/** Groups places by heading in navigation order. */
export const areasOf = (given: readonly NavEntry[]): { area: Area | undefined; entries: NavEntry[] }[] =>
  [...new Set(given.map(({ area }) => area))].map((area) => ({
    area,
    entries: given.filter((navEntry) => navEntry.area === area),
  }));
