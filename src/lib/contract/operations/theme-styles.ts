/** Theme styles that are text: colors as #rrggbb, and fonts. */
export const TEXT_STYLES = [
  ...(["backgroundColor", "bodyColor", "bodyFontFamily", "bodyFontCategory"] as const),
  ...(["borderColor", "buttonBodyColor", "buttonBorderColor", "buttonTextColor"] as const),
  ...(["dividerColor", "textBaseColor", "textLinkColor", "heading1Color"] as const),
  ...(["heading2Color", "heading3Color"] as const),
] as const;

/** Theme styles that are numbers: sizes in px, line heights in percent, text formats in bits. */
export const NUMBER_STYLES = [
  ...(["backgroundXPadding", "backgroundYPadding", "bodyXPadding", "bodyYPadding"] as const),
  ...(["borderWidth", "borderRadius", "buttonBodyXPadding", "buttonBodyYPadding"] as const),
  ...(["buttonBorderWidth", "buttonBorderRadius", "buttonTextFormat", "buttonTextFontSize"] as const),
  ...(["dividerBorderWidth", "textBaseFontSize", "textBaseLineHeight", "textBaseLetterSpacing"] as const),
  ...(["heading1FontSize", "heading1LineHeight", "heading1LetterSpacing", "heading2FontSize"] as const),
  ...(["heading2LineHeight", "heading2LetterSpacing", "heading3FontSize", "heading3LineHeight"] as const),
  ...(["heading3LetterSpacing"] as const),
] as const;

/** A value for each style. */
export type EachStyle = Record<(typeof TEXT_STYLES)[number], string> & Record<(typeof NUMBER_STYLES)[number], number>;
