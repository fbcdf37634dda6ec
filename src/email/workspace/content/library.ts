import type { Component } from "../../../lib/lmx/compile.ts";
import type { ThemeStyles } from "../../../lib/lmx/language/theme.ts";
import type { TeamLibrary } from "../../../lib/lmx/message/compile-message.ts";
import type { MessageDefaults } from "../../../lib/lmx/message/message-source.ts";

const IDS = /\b(?:thm|cmp)_\w{1,40}/g;

/** Includes team defaults. */
export const libraryOf = (sql: SqlStorage, lmx: string): TeamLibrary => {
  const [theme] = sql.exec<{ id: string; styles: string }>("SELECT id, styles FROM themes WHERE is_default").toArray();
  const themes: Record<string, ThemeStyles> = {};
  const components: Record<string, Component> = {};
  if (theme) themes[theme.id] = JSON.parse(theme.styles) as ThemeStyles;
  const seen = new Set<string>();
  for (let open: readonly string[] = lmx.match(IDS) ?? []; open.length > 0; ) {
    const fresh = [...new Set(open)].filter((id) => !seen.has(id));
    for (const id of fresh) seen.add(id);
    const found = sql
      .exec<{ id: string; name: string; lmx: string }>(
        "SELECT id, name, lmx FROM components WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(fresh),
      )
      .toArray();
    for (const { id, ...component } of found) components[id] = component;
    open = found.flatMap((component) => component.lmx.match(IDS) ?? []);
  }
  const named = sql.exec<{ id: string; styles: string }>(
    "SELECT id, styles FROM themes WHERE id IN (SELECT value FROM json_each(?))",
    JSON.stringify([...seen]),
  );
  for (const { id, styles } of named) themes[id] = JSON.parse(styles) as ThemeStyles;
  return { themes, components, defaults: defaultsOf(sql), ...(theme ? { defaultThemeId: theme.id } : {}) };
};

const defaultsOf = (sql: SqlStorage): MessageDefaults =>
  sql
    .exec<{ fromName: string | null; fromEmail: string | null; replyToEmail: string | null }>(
      "SELECT from_name AS fromName, from_email AS fromEmail, reply_to_email AS replyToEmail FROM team",
    )
    .one();
