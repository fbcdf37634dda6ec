import { useQuery } from "@tanstack/react-query";
import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import type { ThemeStyles } from "../../../lib/lmx/language/theme.ts";
import type { TeamLibrary } from "../../../lib/lmx/message/compile-message.ts";
import type { FooterTexts } from "../../../lib/mail-body/footer.ts";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/api.ts";
import type { Named } from "../parts/editor/types.ts";
import type { Team } from "./team.tsx";

/** Items for documents. `footer` is undefined if the v1 server adds it. */
export type Library = {
  library: TeamLibrary;
  footer?: FooterTexts;
  components: Named[];
  themes: Named[];
  variables: string[];
};

/** Preloaded, so that no keystroke causes a request. */
const readLibrary = async ({ id, v1 }: Pick<Team, "id" | "v1">): Promise<Library> => {
  const [themes, components, properties, defaults] = await Promise.all([
    allPages((asked) => v1.themes.list(asked)),
    allPages((asked) => v1.components.list(asked)),
    v1.contactProperties.list({}),
    id === undefined ? undefined : api.email.teams.get({ team: id }),
  ]);
  const byDefault = themes.find(({ isDefault }) => isDefault);
  return {
    library: {
      themes: Object.fromEntries(themes.map((theme) => [theme.id, theme.styles as ThemeStyles])),
      components: Object.fromEntries(components.map(({ id, name, lmx }) => [id, { name, lmx }])),
      ...(byDefault === undefined ? {} : { defaultThemeId: byDefault.id }),
      ...(defaults === undefined ? {} : { defaults }),
    },
    components: components.map(({ id, name }) => ({ id, name })),
    themes: themes.map(({ id, name }) => ({ id, name })),
    ...(defaults === undefined ? {} : { footer: footerIn(defaults) }),
    variables: properties.map(({ key }) => `contact.${key}`),
  };
};

const footerIn = ({ name, footer, postalAddress }: Response<AdminContract["teams"]["get"]>): FooterTexts => ({
  team: name,
  footer,
  postalAddress,
});

export const useLibrary = (team: Team, enabled = true) =>
  useQuery({
    queryKey: ["v1", team.id, "library"],
    queryFn: () => readLibrary(team),
    enabled,
    staleTime: 60_000,
  });
