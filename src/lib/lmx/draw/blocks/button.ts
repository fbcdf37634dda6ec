import { fontStack, type Theme } from "../../language/theme.ts";
import type { ElementNode } from "../../parse/tree.ts";
import { css, px } from "../css.ts";
import { classes, isLost } from "../dark.ts";
import { type Frame, table } from "../frame.ts";
import { flatten, type Piece } from "../parts.ts";
import { numberAttribute, optionalColor, rawAttribute, untracked, urlWithSlots } from "../values.ts";
import { anchor } from "./inline.ts";
import { running } from "./prose.ts";

/** Returns button attributes with theme defaults, in px. */
export const lookOf = (element: ElementNode, theme: Theme) => ({
  color: optionalColor(element, "bgColor") ?? theme.buttonBodyColor,
  textColor: optionalColor(element, "textColor") ?? theme.buttonTextColor,
  borderColor: optionalColor(element, "borderColor") ?? theme.buttonBorderColor,
  size: numberAttribute(element, "fontSize", theme.buttonTextFontSize),
  x: numberAttribute(element, "innerXPadding", theme.buttonBodyXPadding),
  y: numberAttribute(element, "innerYPadding", theme.buttonBodyYPadding),
  border: numberAttribute(element, "borderWidth", theme.buttonBorderWidth),
  radius: numberAttribute(element, "borderRadius", theme.buttonBorderRadius),
});
type Look = ReturnType<typeof lookOf>;

const fontOf = ({ size, textColor }: Look, theme: Theme): string => {
  const format = theme.buttonTextFormat;
  return css({
    "font-family": fontStack(theme),
    "font-size": px(size),
    "line-height": "125%",
    "font-weight": format & 1 ? "700" : "400",
    "font-style": format & 2 ? "italic" : "",
    color: textColor,
    "text-decoration": [format & 8 ? "underline" : "", format & 4 ? "line-through" : ""].join(" ").trim() || "none",
  });
};

/** Assumed value length for fixed widths. */
const VALUE_LENGTH = 16;

/** A generous guess in px: letters are about 0.6 times as wide as high. */
const widthOf = (inner: Piece, size: number): number => {
  const characters = flatten(inner).reduce(
    (sum, part) => sum + (typeof part === "string" ? part.replace(/&[^;]+;/g, "x").length : VALUE_LENGTH),
    0,
  );
  return Math.ceil(characters * size * 0.6);
};

/**
 * Outlook on Windows ignores link padding and corners. A VML shape has both but needs a size:
 * https://learn.microsoft.com/windows/win32/vml/msdn-online-vml-roundrect-element.
 */
const outlookButton = (element: ElementNode, look: Look, { theme, width: room }: Frame, inner: Piece): Piece => {
  const text = widthOf(inner, look.size);
  const most = Math.max(look.size * 2, room - 2 * (look.x + look.border));
  const lines = Math.ceil(text / most);
  const width = Math.round(Math.min(text, most) + 2 * (look.x + look.border));
  const height = Math.round(lines * look.size * 1.25 + 2 * (look.y + look.border));
  const arc = Math.min(50, Math.round((look.radius * 100) / Math.min(width, height)));
  const stroke = look.border > 0 ? `strokeweight="${look.border}px" strokecolor="${look.borderColor}"` : 'stroked="f"';
  return [
    '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" xmlns:w="urn:schemas-microsoft-com:office:word" href="',
    urlWithSlots(rawAttribute(element, "href") ?? "", "url"),
    `"${untracked(element)} style="height:${height}px;width:${width}px;v-text-anchor:middle;" arcsize="${arc}%" ${stroke} fillcolor="${look.color}">`,
    `<w:anchorlock></w:anchorlock><center style="${fontOf(look, theme)}">`,
    inner,
    "</center></v:roundrect><![endif]--><!--[if !mso]><!-->",
  ];
};

/** Draws a link as a filled cell. Except in Outlook, the link has the padding, so all of it is clickable. */
export const button = (element: ElementNode, frame: Frame): Piece => {
  const look = lookOf(element, frame.theme);
  const radius = px(look.radius);
  const href = rawAttribute(element, "href");
  const cell = css({
    "background-color": look.color,
    border: look.border > 0 ? `${look.border}px solid ${look.borderColor}` : "",
    "border-radius": radius,
    // Outlook pads cells, but uses a separate shape for linked buttons.
    "mso-padding-alt": href === undefined ? `${look.y}px ${look.x}px` : "",
  });
  const label = css({ display: "inline-block", padding: `${look.y}px ${look.x}px` });
  const style = `${label}${fontOf(look, frame.theme)}${css({ "border-radius": radius })}`;
  const lost = isLost(look.color);
  const named = classes({ label: lost ? look.textColor : undefined });
  const inner = running(element, frame);
  const drawn = table(' style="border-collapse:separate;"', [
    `<tr><td align="center"${classes({ flip: look.color })} bgcolor="${look.color}" style="${cell}">`,
    href === undefined
      ? [`<span${named} style="${style}">`, inner, "</span>"]
      : anchor(element, `${named} style="${style}"`, inner),
    "</td></tr>",
  ]);
  return href === undefined ? drawn : [outlookButton(element, look, frame, inner), drawn, "<!--<![endif]-->"];
};
