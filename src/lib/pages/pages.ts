/** The addresses of the dashboard's pages. `$`: the name of one thing. */
const PAGES = [
  "/",
  "/alerts",
  "/campaigns",
  "/campaigns/$",
  "/deliveries",
  "/deliveries/all",
  "/deliveries/throughput",
  "/deliveries/waiting",
  "/messages/$",
  "/people",
  "/people/$",
  "/people/imports",
  "/people/imports/$",
  "/people/imports/new",
  "/people/lists",
  "/people/properties",
  "/people/suppressed",
  "/segments",
  "/segments/$",
  "/segments/new",
  "/sent",
  "/sent/$",
  "/settings",
  "/settings/audit",
  "/settings/confirmations",
  "/settings/domains",
  "/settings/domains/$",
  "/settings/keys",
  "/settings/members",
  "/settings/webhooks",
  "/settings/webhooks/$",
  "/sources",
  "/sources/$",
  "/sources/rules",
  "/sources/rules/$/$",
  "/templates",
  "/templates/brand",
  "/templates/brand/$",
  "/templates/components",
  "/templates/components/$",
  "/templates/pictures",
  "/transactional",
  "/transactional/$",
  "/webhooks",
  "/webhooks/$",
  "/webhooks/replays",
  "/webhooks/replays/new",
  "/workflows",
  "/workflows/$",
  "/workflows/events",
  "/workflows/events/$",
  "/workflows/new",
].map((page) => page.split("/").slice(1));

const stepsOf = (path: string): string[] =>
  path
    .replace(/(?<=.)\/$/, "")
    .split("/")
    .slice(1);

/** True if the dashboard has a page at this path, such as `/people/ada@example.com`. */
export const isPage = (path: string): boolean => {
  const steps = stepsOf(path);
  return PAGES.some(
    (page) =>
      page.length === steps.length && page.every((step, n) => (step === "$" ? steps[n] !== "" : step === steps[n])),
  );
};

/** Earlier addresses of pages, and today's. The longest match wins, and takes what stands below it along. */
const MOVED: Readonly<Record<string, string>> = {
  "/calls": "/deliveries",
  "/components": "/templates/components",
  "/events": "/workflows/events",
  "/health": "/deliveries/throughput",
  "/imports": "/people/imports",
  "/lists": "/people/lists",
  "/mail": "/sent",
  "/properties": "/people/properties",
  "/replay": "/webhooks/replays/new",
  "/rules": "/sources/rules",
  "/settings/people": "/settings/members",
  "/settings/team": "/settings",
  "/settings/team/confirmations": "/settings/confirmations",
  "/suppressions": "/people/suppressed",
  "/themes": "/templates/brand",
  "/uploads": "/templates/pictures",
};

/**
 * Gives the new address of a page that was elsewhere, with its query. Undefined if the page is where it was.
 *
 * @param path path of the page, without its query
 * @param query begins with "?", or is empty
 */
export const movedTo = (path: string, query: string): string | undefined => {
  const steps = stepsOf(path);
  for (let length = steps.length; length > 0; length -= 1) {
    const to = MOVED[`/${steps.slice(0, length).join("/")}`];
    const moved = to && [to, ...steps.slice(length)].join("/");
    if (moved && isPage(moved)) return withList(moved, query);
  }
  return path === "/deliveries" && query !== "" ? withList(path, query) : undefined;
};

/** A filtered list of deliveries is a page of its own. */
const withList = (path: string, query: string): string => {
  if (path !== "/deliveries" || query === "") return path + query;
  const search = new URLSearchParams(query);
  search.delete("view");
  const text = search.toString();
  return `/deliveries/all${text === "" ? "" : `?${text}`}`;
};
