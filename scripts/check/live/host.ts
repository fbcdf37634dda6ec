import { ApiError, createClient } from "../../../src/lib/client.ts";
import { paced } from "./pace.ts";
import type { Where } from "./where.ts";

/** Everything at a host that rules refer to by name. `undefined`: the host has no operation to list it. */
export type HostNames = {
  team: string;
  /** Types of contact properties by name. */
  properties: ReadonlyMap<string, string> | undefined;
  lists: ReadonlyMap<string, { name: string; archived: boolean }> | undefined;
  /** Names of the events the host knows. */
  events: readonly string[] | undefined;
  /** Published templates by id. */
  templates: ReadonlyMap<string, { name: string; variables: readonly string[] }> | undefined;
  /** Names of the variables for which a published template has a fallback. None where the host does not show messages. */
  fallbacks(templateId: string): Promise<readonly string[]>;
  /** Names of unpublished templates by id. */
  unpublished: ReadonlyMap<string, string>;
  /** Types of the properties of one event, by name. */
  eventTypes(name: string): Promise<ReadonlyMap<string, string> | undefined>;
};

type Page<T> = { data: readonly T[]; pagination: { nextCursor: string | null } };

const pages = async <T>(get: (cursor: { cursor?: string }) => Promise<Page<T>>): Promise<T[]> => {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await get(cursor === undefined ? {} : { cursor });
    all.push(...page.data);
    // A host that returns the same cursor again would cause an endless loop.
    cursor = page.pagination.nextCursor === cursor ? null : page.pagination.nextCursor;
  }
  return all;
};

/** Undefined if the host does not have the operation. */
const ifThere = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 405)) return undefined;
    throw error;
  }
};

const explained = (error: unknown, { url, local }: Where): Error => {
  if (error instanceof ApiError) {
    const why = error.status === 401 ? "refuses this API key" : `answers ${error.status}`;
    return new Error(`${url} ${why}: ${error.message}`);
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const reason =
    cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code || cause.name : String(cause);
  // Without a connection `fetch` throws a TypeError with a cause. A timeout has its own name.
  const unreachable = cause !== error || (error instanceof Error && error.name === "TimeoutError");
  if (!unreachable) return new Error(`${url} does not answer like a host of the v1 API: ${reason}`);
  const start = local ? " Run npm start, or set EMAIL_API_URL and EMAIL_API_KEY." : "";
  return new Error(`Nothing answers at ${url} (${reason}).${start}`);
};

/**
 * Reads everything from a host that rules refer to. Changes nothing.
 *
 * @throws with what to do if the host does not answer
 */
export const askHost = async (where: Where): Promise<HostNames> => {
  const api = createClient({ baseUrl: where.url, apiKey: where.key, fetch: paced() });
  try {
    const { teamName } = await api.apiKey.test();
    const [properties, lists, events, published, all] = await Promise.all([
      ifThere(api.contactProperties.list()),
      ifThere(api.lists.list()),
      ifThere(pages((cursor) => api.eventPatterns.list({ perPage: "50", ...cursor }))),
      ifThere(pages((cursor) => api.transactional.list({ perPage: "50", ...cursor }))),
      ifThere(pages((cursor) => api.transactionalEmails.list({ perPage: "50", status: "all", ...cursor }))),
    ]);
    const templates = published ?? all?.filter(({ publishedEmailMessageId }) => publishedEmailMessageId !== null);
    const ids = new Set(templates?.map(({ id }) => id));
    return {
      team: teamName,
      properties: properties && new Map(properties.map(({ key, type }) => [key, type])),
      lists: lists && new Map(lists.map(({ id, name, isArchived }) => [id, { name, archived: isArchived ?? false }])),
      events: events?.map(({ eventName }) => eventName),
      templates:
        templates && new Map(templates.map(({ id, name, dataVariables }) => [id, { name, variables: dataVariables }])),
      unpublished: new Map((all ?? []).filter(({ id }) => !ids.has(id)).map(({ id, name }) => [id, name])),
      fallbacks: async (id) => {
        const emailMessageId = all?.find((one) => one.id === id)?.publishedEmailMessageId;
        if (!emailMessageId) return [];
        const message = await ifThere(api.emailMessages.get({ emailMessageId }));
        return Object.keys(message?.dataVariablesFallbacks ?? {});
      },
      eventTypes: async (eventName) => {
        const pattern = await ifThere(api.eventPatterns.getByName({ eventName }));
        return pattern && new Map(pattern.eventProperties.map(({ name, type }) => [name, type]));
      },
    };
  } catch (error) {
    throw explained(error, where);
  }
};
