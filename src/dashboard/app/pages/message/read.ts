import type { ThemeStyles } from "../../../../email/lmx/language/theme.ts";
import type { TeamLibrary } from "../../../../email/lmx/message/compile-message.ts";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import type { Named } from "../../parts/editor/types.ts";
import type { Team } from "../../team/team.tsx";
import type { Message, Owner } from "./source.ts";

type Page<T> = { data: T[]; pagination: { nextCursor: string | null } };
/** Most pages of a list that are read: a team with more has to name what it uses. */
const MOST_PAGES = 20;

const readAll = async <T>(read: (query: object) => Promise<Page<T>>): Promise<T[]> => {
  const all: T[] = [];
  let cursor: string | null = null;
  for (let n = 0; n < MOST_PAGES; n += 1) {
    const page: Page<T> = await read({ perPage: "50", ...(cursor === null ? {} : { cursor }) });
    all.push(...page.data);
    cursor = page.pagination.nextCursor;
    if (cursor === null) break;
  }
  return all;
};

/** What documents of a team may use, and what completions offer of it. */
export type Library = {
  library: TeamLibrary;
  components: Named[];
  themes: Named[];
  variables: string[];
};

/** Themes, components, contact properties and defaults of a team: all that compiling needs, so that no keystroke asks for anything. */
export const readLibrary = async ({ id, v1 }: Pick<Team, "id" | "v1">): Promise<Library> => {
  const [themes, components, properties, defaults] = await Promise.all([
    readAll((query) => v1.themes.list(query)),
    readAll((query) => v1.components.list(query)),
    v1.contactProperties.list({}),
    id === undefined ? undefined : api.email.teams.get({ team: id }),
  ]);
  const byDefault = themes.find(({ isDefault }) => isDefault);
  return {
    library: {
      themes: Object.fromEntries(themes.map((one) => [one.id, one.styles as ThemeStyles])),
      components: Object.fromEntries(components.map(({ id, name, lmx }) => [id, { name, lmx }])),
      ...(byDefault === undefined ? {} : { defaultThemeId: byDefault.id }),
      ...(defaults === undefined ? {} : { defaults }),
    },
    components: components.map(({ id, name }) => ({ id, name })),
    themes: themes.map(({ id, name }) => ({ id, name })),
    variables: properties.map(({ key }) => `contact.${key}`),
  };
};

/** What a message belongs to. */
export const readOwner = async (v1: Team["v1"], message: Message): Promise<Owner> => {
  const { transactionalId, campaignId, workflowId } = message;
  if (transactionalId !== undefined) {
    const found = await v1.transactionalEmails.get({ transactionalId });
    return {
      ...{ name: found.name, draftId: found.draftEmailMessageId, publishedId: found.publishedEmailMessageId },
      required: found.publishedEmailMessageId === null ? [] : found.dataVariables,
    };
  }
  if (campaignId !== undefined) return v1.campaigns.get({ campaignId });
  return v1.workflows.get({ workflowId: workflowId ?? "" });
};

/** The properties of a person, by full name of their variable; undefined where there is no such contact. */
export const readPerson = async (
  v1: Team["v1"],
  who: string,
): Promise<Record<string, string | number | boolean> | undefined> => {
  const [contact] = await v1.contacts.find(who.includes("@") ? { email: who } : { userId: who }).catch((error) => {
    if (error instanceof RequestError && error.status === 404) return [];
    throw error;
  });
  if (!contact) return undefined;
  return Object.fromEntries(
    Object.entries(contact).flatMap(([name, value]) =>
      ["string", "number", "boolean"].includes(typeof value) ? [[`contact.${name}`, value as string]] : [],
    ),
  );
};
