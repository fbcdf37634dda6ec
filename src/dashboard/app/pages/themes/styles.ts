import { themeFaults } from "../../../../lib/lmx/check/style.ts";
import { defaultTheme, type Theme, themeAttributes } from "../../../../lib/lmx/language/theme.ts";

export type StyleName = keyof Theme;
/** Typed values; empty means the default. */
export type StyleDraft = Partial<Record<StyleName, string>>;
/** Theme values in API form. */
export type Styles = Readonly<Record<string, string | number>>;

export type StyleField = {
  name: StyleName;
  label: string;
  kind: "color" | "number" | "format" | "text";
  min?: number;
  max?: number;
  unit?: string;
};

const PARTS = ["background", "body", "border", "button", "divider", "textBase", "textLink", "heading"] as const;

const words = (name: string): string =>
  name
    .replaceAll(/([A-Z]|\d+)/g, " $1")
    .toLowerCase()
    .trim();
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const fieldOf = (name: StyleName): StyleField => {
  const rule = themeAttributes[name];
  const label = capital(
    words(name)
      .replace(/\bx padding\b/, "padding at the sides")
      .replace(/\by padding\b/, "padding above and below"),
  );
  if (rule?.is === "color") return { name, label, kind: "color" };
  if (rule?.is !== "number") return { name, label, kind: "text" };
  const { min, max, unit } = rule;
  return { name, label, kind: name.endsWith("TextFormat") ? "format" : "number", min, max, unit };
};

/** Styles grouped by mail part, from the compiler's table. */
export const STYLE_GROUPS: readonly { title: string; fields: readonly StyleField[] }[] = [
  ...Map.groupBy(Object.keys(defaultTheme) as StyleName[], (name) => {
    const part = PARTS.find((one) => name.startsWith(one)) ?? "other";
    return part.startsWith("text") ? "text" : part;
  }),
].map(([part, names]) => ({ title: capital(words(part)), fields: names.map(fieldOf) }));

/** Bits of a text format. */
export const FORMATS = [
  { bit: 1, label: "bold" },
  { bit: 2, label: "italic" },
  { bit: 4, label: "struck through" },
  { bit: 8, label: "underlined" },
] as const;

export const shownStyle = (styles: Styles, draft: StyleDraft, name: StyleName): string =>
  draft[name] ?? String(styles[name] ?? defaultTheme[name]);

const valueIn = (name: StyleName, text: string): string | number | null => {
  const given = text.trim();
  if (given === "") return null;
  const isNumber = typeof defaultTheme[name] === "number";
  return isNumber && /^-?\d+(\.\d+)?$/.test(given) ? Number(given) : given;
};

/** Changed styles in API form. */
export const styleChanges = (styles: Styles, draft: StyleDraft): Record<string, string | number | null> =>
  Object.fromEntries(
    (Object.keys(draft) as StyleName[]).flatMap((name) => {
      const value = valueIn(name, draft[name] ?? "");
      const now = styles[name] ?? defaultTheme[name];
      return (value ?? defaultTheme[name]) === now ? [] : [[name, value]];
    }),
  );

/** Theme with draft values for the preview; invalid values are ignored. */
export const draftedStyles = (styles: Styles, draft: StyleDraft): Styles => {
  const faults = faultsOf(styles, draft);
  const changes = Object.entries(styleChanges(styles, draft)).filter(([name]) => faults[name] === undefined);
  return {
    ...styles,
    ...Object.fromEntries(changes.map(([name, value]) => [name, value ?? defaultTheme[name as StyleName]])),
  };
};

/** Problems by style name. The service has the same rules. */
export const faultsOf = (styles: Styles, draft: StyleDraft): Record<string, string> => {
  const given = Object.entries(styleChanges(styles, draft)).filter(([, value]) => value !== null);
  return Object.fromEntries(themeFaults(Object.fromEntries(given)).map(({ key, message }) => [key, message]));
};
