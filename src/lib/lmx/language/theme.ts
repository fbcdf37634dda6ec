import type { AttributeRule } from "./rule.ts";

const SYSTEM_FONTS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto";

/**
 * Every attribute of a `Style` tag with its default: sizes in px, line heights in percent. The names are those of the
 * v1 API's themes.
 */
export const defaultTheme = {
  backgroundColor: "#f4f4f5",
  backgroundXPadding: 16,
  backgroundYPadding: 40,
  bodyColor: "#ffffff",
  bodyXPadding: 40,
  bodyYPadding: 40,
  bodyFontFamily: SYSTEM_FONTS,
  bodyFontCategory: "sans-serif",
  borderColor: "#e4e4e7",
  borderWidth: 1,
  borderRadius: 12,
  buttonBodyColor: "#18181b",
  buttonBodyXPadding: 24,
  buttonBodyYPadding: 12,
  buttonBorderColor: "#18181b",
  buttonBorderWidth: 0,
  buttonBorderRadius: 8,
  buttonTextColor: "#ffffff",
  /** Bits as in rich-text editors: 1 bold, 2 italic, 4 struck through, 8 underlined. */
  buttonTextFormat: 1,
  buttonTextFontSize: 16,
  dividerColor: "#e4e4e7",
  dividerBorderWidth: 1,
  textBaseColor: "#3f3f46",
  textBaseFontSize: 16,
  textBaseLineHeight: 160,
  textBaseLetterSpacing: 0,
  textLinkColor: "#2563eb",
  heading1Color: "#18181b",
  heading1FontSize: 28,
  heading1LineHeight: 125,
  heading1LetterSpacing: 0,
  heading2Color: "#18181b",
  heading2FontSize: 22,
  heading2LineHeight: 130,
  heading2LetterSpacing: 0,
  heading3Color: "#18181b",
  heading3FontSize: 18,
  heading3LineHeight: 140,
  heading3LetterSpacing: 0,
};

export type Theme = typeof defaultTheme;

/** The styles of a theme, as the v1 API has them. Values that are absent are those of the default theme. */
export type ThemeStyles = { readonly [Key in keyof Theme]?: Theme[Key] };

/** Six digits: some clients read three-digit colours in `bgcolor` wrongly. */
export const fullColor = (color: string): string =>
  color.startsWith("#") && color.length === 4 ? color.replace(/[^#]/g, "$&$&") : color;

/** A theme of several layers over the defaults. Later layers win. Values are those of `themeAttributes`, as text or number. */
export const layered = (...layers: readonly Readonly<Record<string, string | number>>[]): Theme => {
  const theme: Record<string, string | number> = { ...defaultTheme };
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (!Object.hasOwn(defaultTheme, name)) continue;
    theme[name] = typeof theme[name] === "number" ? Number.parseFloat(String(value)) : fullColor(String(value));
  }
  return theme as Theme;
};

/** Rules by the ending of a key; the first match counts. */
const RANGES: readonly (readonly [ending: string, rule: AttributeRule])[] = [
  ["Color", { is: "color" }],
  ["Padding", { is: "number", min: 0, max: 100, unit: "px" }],
  ["LetterSpacing", { is: "number", min: -10, max: 20, unit: "px" }],
  ["LineHeight", { is: "number", min: 100, max: 300, unit: "%" }],
  ["FontSize", { is: "number", min: 6, max: 64, unit: "px" }],
  ["Radius", { is: "number", min: 0, max: 999, unit: "px" }],
  ["BorderWidth", { is: "number", min: 0, max: 16, unit: "px" }],
  ["borderWidth", { is: "number", min: 0, max: 16, unit: "px" }],
  ["TextFormat", { is: "number", min: 0, max: 15, unit: "" }],
  ["", { is: "font" }],
];

/** The attributes of `Style`, one per theme key. */
export const themeAttributes: Readonly<Record<string, AttributeRule>> = Object.fromEntries(
  Object.keys(defaultTheme).map((key) => [key, RANGES.find(([ending]) => key.endsWith(ending))?.[1] ?? { is: "font" }]),
);

/** CSS fallbacks for the font categories of font catalogues. */
const GENERIC: Readonly<Record<string, string>> = {
  serif: "Georgia, 'Times New Roman', serif",
  monospace: "Menlo, Consolas, 'Courier New', monospace",
  handwriting: "cursive",
};

/** The theme's font stack, with fallbacks that every mail client has. */
export const fontStack = (theme: Theme): string =>
  `${theme.bodyFontFamily}, ${GENERIC[theme.bodyFontCategory] ?? "Helvetica, Arial, sans-serif"}`;
