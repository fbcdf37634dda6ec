import { ApiError, createClient } from "../../../src/lib/client.ts";
import { paced } from "./pace.ts";
import type { Where } from "./service-address.ts";

/** Names in the email service that rules use. `undefined`: no operation lists them. */
export type ServiceNames = {
  team: string;
  properties: ReadonlyMap<string, string> | undefined;
  lists: ReadonlyMap<string, { name: string; archived: boolean }> | undefined;
  events: readonly string[] | undefined;
  /** Published templates by id. */
  templates: ReadonlyMap<string, { name: string; variables: readonly string[] }> | undefined;
  /** Empty if the email service does not show messages. */
  fallbacks(templateId: string): Promise<readonly string[]>;
  unpublished: ReadonlyMap<string, string>;
  eventTypes(name: string): Promise<ReadonlyMap<string, string> | undefined>;
};

type Page<T> = { data: readonly T[]; pagination: { nextCursor: string | null } };

const pages = async <T>(get: (cursor: { cursor?: string }) => Promise<Page<T>>): Promise<T[]> => {
  const all: T[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await get(cursor === undefined ? {} : { cursor });
    all.push(...page.data);
    // A repeated cursor would cause an endless loop.
    cursor = page.pagination.nextCursor === cursor ? null : page.pagination.nextCursor;
  }
  return all;
};

/** Undefined without the operation. */
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
  // A `fetch` without a connection throws a TypeError with a cause. A timeout has a different name.
  const unreachable = cause !== error || (error instanceof Error && error.name === "TimeoutError");
  if (!unreachable) return new Error(`${url} does not answer like an email service with the v1 API: ${reason}`);
  const start = local ? " Run npm start, or set EMAIL_API_URL and EMAIL_API_KEY." : "";
  return new Error(`Nothing answers at ${url} (${reason}).${start}`);
};

/** Changes nothing. Throws with a remedy without an answer. */
export const askService = async (where: Where): Promise<ServiceNames> => {
  const api = createClient({ baseUrl: where.url, apiKey: where.key, fetch: paced(), timeoutMs: 0 });
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
