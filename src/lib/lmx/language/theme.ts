import type { EachStyle } from "../../contract/operations/theme-styles.ts";
import type { AttributeRule } from "./rule.ts";

const SYSTEM_FONTS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto";

/** `Style` defaults: sizes in px, line heights in percent. Names follow the v1 API. */
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
  /** Bits: 1 bold, 2 italic, 4 struck through, 8 underlined. */
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
} satisfies EachStyle;

export type Theme = typeof defaultTheme;

export type ThemeStyles = { readonly [Key in keyof Theme]?: Theme[Key] };

/** Some clients misread three-digit colors in `bgcolor`. */
export const fullColor = (color: string): string =>
  color.startsWith("#") && color.length === 4 ? color.replace(/[^#]/g, "$&$&") : color;

/** Merges theme layers over defaults; later layers win. */
export const layered = (...layers: readonly Readonly<Record<string, string | number>>[]): Theme => {
  const theme: Record<string, string | number> = { ...defaultTheme };
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer))) {
    if (!Object.hasOwn(defaultTheme, name)) continue;
    theme[name] = typeof theme[name] === "number" ? Number.parseFloat(String(value)) : fullColor(String(value));
  }
  return theme as Theme;
};

/** The first match counts. */
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

export const themeAttributes: Readonly<Record<string, AttributeRule>> = Object.fromEntries(
  Object.keys(defaultTheme).map((key) => [key, RANGES.find(([ending]) => key.endsWith(ending))?.[1] ?? { is: "font" }]),
);

const GENERIC: Readonly<Record<string, string>> = {
  serif: "Georgia, 'Times New Roman', serif",
  monospace: "Menlo, Consolas, 'Courier New', monospace",
  handwriting: "cursive",
};

export const fontStack = (theme: Theme): string =>
  `${theme.bodyFontFamily}, ${GENERIC[theme.bodyFontCategory] ?? "Helvetica, Arial, sans-serif"}`;
