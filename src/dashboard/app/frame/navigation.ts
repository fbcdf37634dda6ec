import type { IconName } from "../parts/icons.tsx";

/** A page of the navigation. `needs`: the half that it shows. `key`: the letter after `g` that leads there. */
export type Place = { to: string; label: string; icon: IconName; needs?: "bridge" | "email"; key?: string };

export const places: readonly Place[] = [
  { to: "/", label: "Overview", icon: "overview", key: "o" },
  { to: "/people", label: "People", icon: "people", key: "p" },
  { to: "/mail", label: "Mail", icon: "mail", needs: "email", key: "m" },
  { to: "/campaigns", label: "Campaigns", icon: "campaigns", needs: "email", key: "a" },
  { to: "/webhooks", label: "Webhooks", icon: "webhooks", needs: "bridge", key: "w" },
  { to: "/calls", label: "Calls", icon: "calls", needs: "bridge", key: "c" },
  { to: "/rules", label: "Rules", icon: "rules", needs: "bridge" },
  { to: "/sources", label: "Sources", icon: "sources", needs: "bridge", key: "s" },
  { to: "/replay", label: "Replay", icon: "replay", needs: "bridge" },
  { to: "/health", label: "Health", icon: "health", needs: "bridge", key: "h" },
  { to: "/lists", label: "Lists", icon: "lists", key: "l" },
  { to: "/properties", label: "Properties", icon: "properties" },
  { to: "/suppressions", label: "Suppressions", icon: "suppressions", key: "x" },
  { to: "/settings/keys", label: "API keys", icon: "settings", needs: "email", key: "k" },
  { to: "/settings/team", label: "Team", icon: "settings", needs: "email" },
  { to: "/settings/audit", label: "Audit", icon: "settings" },
  { to: "/settings", label: "Settings", icon: "settings" },
];

type Halves = { bridge: object | null; email: object | null };

/** The places whose half is deployed. */
export const placesFor = (about: Halves): Place[] =>
  places.filter(({ needs }) => needs === undefined || about[needs] !== null);

/** The place that a path belongs to: a page below another one has a place of its own. */
export const placeAt = (path: string): Place | undefined =>
  places.filter(({ to }) => path === to || path.startsWith(`${to}/`)).toSorted((a, b) => b.to.length - a.to.length)[0];

/** The place of a page whose half is not deployed; undefined for a page that can be shown. */
export const missingAt = (path: string, about: Halves): (Place & { needs: "bridge" | "email" }) | undefined => {
  const place = placeAt(path);
  const { needs } = place ?? {};
  return place && needs && about[needs] === null ? { ...place, needs } : undefined;
};
