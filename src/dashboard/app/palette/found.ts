import { pathOf } from "../parts/filters.ts";
import { pageOf } from "../story/subject.ts";

/** Palette target. `search`: filters. `path`: saved view with filters. */
type Target = {
  to: string;
  params?: Readonly<Record<string, string>>;
  search?: Readonly<Record<string, string>>;
  path?: string;
};

/** A result. `group`: its heading. */
export type Result = { id: string; group: string; label: string; description?: string | undefined; target: Target };

export type Found = { kind: string; id: string; name: string; detail: string | null };

const person = (id: string): Target => ({ to: "/people/$personId", params: { personId: id } });

const KINDS: Readonly<Record<string, { group: string; target: (found: Found) => Target }>> = {
  contact: { group: "People", target: ({ name }) => person(name) },
  transactionalEmail: {
    group: "Transactional emails",
    target: ({ id }) => ({ to: "/transactional/$transactionalEmailId", params: { transactionalEmailId: id } }),
  },
  list: { group: "People on lists", target: ({ id }) => ({ to: "/people", search: { list: id } }) },
  segment: { group: "Segments", target: ({ id }) => ({ to: "/segments/$segmentId", params: { segmentId: id } }) },
  campaign: { group: "Campaigns", target: ({ id }) => ({ to: "/campaigns/$campaignId", params: { campaignId: id } }) },
  workflow: { group: "Workflows", target: ({ id }) => ({ to: "/workflows/$workflowId", params: { workflowId: id } }) },
  property: { group: "Properties", target: () => ({ to: "/people/properties" }) },
  send: { group: "Mail", target: ({ id }) => ({ to: "/sent/$sendId", params: { sendId: id } }) },
};

/** Converts service results, in their order. */
export const resultsOf = (found: readonly Found[]): Result[] =>
  found.flatMap((one) => {
    const kind = KINDS[one.kind];
    if (!kind) return [];
    const { group, target } = kind;
    return [
      {
        id: `${one.kind} ${one.id}`,
        group,
        label: one.name,
        description: one.detail ?? (one.kind === "property" ? one.id : undefined),
        target: target(one),
      },
    ];
  });

/** Page of a complete id: `wh_…`, `snd_…`. A person has a page only if a search finds the person. */
export const directResult = (text: string): Result | undefined => {
  const page = pageOf(text);
  switch (page?.to) {
    case "/webhooks/$id":
      return { ...made("Webhooks", text), target: { to: "/webhooks/$webhookId", params: { webhookId: page.id } } };
    case "/sent/$id":
      return { ...made("Mail", text), target: { to: "/sent/$sendId", params: { sendId: page.id } } };
    default:
      return undefined;
  }
};

/** Saved views with matching names. */
export const viewResults = (text: string, views: readonly { name: string; path: string }[]): Result[] =>
  views
    .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    .map(({ name, path }) => ({
      id: `view ${name}`,
      group: "Views",
      label: name,
      description: path,
      target: { to: pathOf(path), path },
    }));

/** Sources and rules for the palette. */
export type Named = {
  sources: readonly { name: string; title: string }[];
  rules: readonly { source: string; name: string }[];
};

/** Sources (by name or provider) and rules with matching text. */
export const namedResults = (text: string, { sources, rules }: Named): Result[] => {
  const wanted = text.toLowerCase();
  const has = (name: string) => name.toLowerCase().includes(wanted);
  return [
    ...sources
      .filter(({ name, title }) => has(name) || has(title))
      .map(({ name, title }) => ({
        id: `source ${name}`,
        group: "Sources",
        label: name,
        description: title,
        target: { to: "/sources/$source", params: { source: name } },
      })),
    ...rules
      .filter(({ name }) => has(name))
      .map(({ source, name }) => ({
        id: `rule ${source} ${name}`,
        group: "Rules",
        label: name,
        description: source,
        target: { to: "/sources/rules/$source/$rule", params: { source, rule: name } },
      })),
  ];
};

const made = (group: string, label: string) => ({ id: `direct ${label}`, group, label });

const keyOf = ({ to, params }: Target): string => `${to} ${JSON.stringify(params ?? {})}`.toLowerCase();

/** A person of the webhooks. */
export type KnownPerson = {
  kind: string;
  value: string;
  source?: string | undefined;
  email: string | null;
  userId: string | null;
};

const knownResult = ({ kind, value, source, email, userId }: KnownPerson): Result => ({
  id: `known ${source ?? kind} ${value}`,
  group: "People",
  label: email ?? userId ?? value,
  description: source === undefined ? undefined : `${source}: ${value}`,
  target: person(email ?? userId ?? value),
});

/** Merges results without duplicate pages. */
export const allResults = (text: string, found: readonly Found[], known: readonly KnownPerson[] = []): Result[] => {
  const direct = directResult(text);
  const contacts = resultsOf(found);
  const pages = new Set(contacts.map(({ target }) => keyOf(target)));
  const results = [...contacts, ...known.map(knownResult).filter(({ target }) => !pages.has(keyOf(target)))];
  if (!direct) return results;
  const same = results.find(({ target }) => target.params && keyOf(target) === keyOf(direct.target));
  return same ? [same, ...results.filter((result) => result !== same)] : [direct, ...results];
};
