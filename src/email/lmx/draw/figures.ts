import { fontStack } from "../language/theme.ts";
import type { ElementNode } from "../parse/tree.ts";
import { css, px } from "./css.ts";
import { type Frame, table } from "./frame.ts";
import { anchor } from "./inline.ts";
import type { Piece } from "./parts.ts";
import { running } from "./prose.ts";
import { numberAttribute, optionalColor, rawAttribute, textAttribute, withSlots } from "./values.ts";

export const button = (element: ElementNode, frame: Frame): Piece => {
  const { theme } = frame;
  const color = optionalColor(element, "bgColor") ?? theme.buttonBodyColor;
  const size = numberAttribute(element, "fontSize", theme.buttonTextFontSize);
  const x = numberAttribute(element, "innerXPadding", theme.buttonBodyXPadding);
  const y = numberAttribute(element, "innerYPadding", theme.buttonBodyYPadding);
  const width = numberAttribute(element, "borderWidth", theme.buttonBorderWidth);
  const radius = px(numberAttribute(element, "borderRadius", theme.buttonBorderRadius));
  const format = theme.buttonTextFormat;
  const cell = css({
    "background-color": color,
    border: width > 0 ? `${width}px solid ${optionalColor(element, "borderColor") ?? theme.buttonBorderColor}` : "",
    "border-radius": radius,
    // Outlook pads cells but not links. Every other client pads the link, which makes the whole button clickable.
    "mso-padding-alt": `${y}px ${x}px`,
  });
  const label = css({
    display: "inline-block",
    padding: `${y}px ${x}px`,
    "font-family": fontStack(theme),
    "font-size": px(size),
    "line-height": "125%",
    "font-weight": format & 1 ? "700" : "400",
    "font-style": format & 2 ? "italic" : "",
    color: optionalColor(element, "textColor") ?? theme.buttonTextColor,
    "text-decoration": [format & 8 ? "underline" : "", format & 4 ? "line-through" : ""].join(" ").trim() || "none",
    "border-radius": radius,
    "mso-padding-alt": "0",
  });
  const href = rawAttribute(element, "href");
  const inner = running(element, frame);
  return table(' style="border-collapse:separate;"', [
    `<tr><td align="center" bgcolor="${color}" style="${cell}">`,
    href === undefined ? [`<span style="${label}">`, inner, "</span>"] : anchor(href, label, inner),
    "</td></tr>",
  ]);
};

const IMAGE_MARGIN: Readonly<Record<string, string>> = { center: "0 auto", right: "0 0 0 auto" };

export const image = (element: ElementNode, { theme, width }: Frame): Piece => {
  const pixels = Math.min(numberAttribute(element, "width", width), width);
  const border = numberAttribute(element, "borderWidth", 0);
  const style = css({
    display: "block",
    width: "100%",
    "max-width": px(pixels),
    height: "auto",
    margin: IMAGE_MARGIN[textAttribute(element, "align") ?? ""],
    border: border > 0 ? `${border}px solid ${optionalColor(element, "borderColor") ?? theme.borderColor}` : "0",
    "box-sizing": "border-box",
    "border-radius": px(numberAttribute(element, "borderRadius", 0)),
  });
  const source = rawAttribute(element, "dynamicSrc") ?? rawAttribute(element, "src") ?? "";
  return anchor(rawAttribute(element, "href"), "text-decoration:none;", [
    ['<img src="', withSlots(source, "url"), '" alt="', withSlots(rawAttribute(element, "alt") ?? "", "html")],
    `" width="${pixels}" style="${style}">`,
  ]);
};

export const divider = (element: ElementNode, { theme }: Frame): Piece => {
  const line = `${numberAttribute(element, "borderWidth", theme.dividerBorderWidth)}px solid`;
  const style = css({
    "border-top": `${line} ${optionalColor(element, "color") ?? theme.dividerColor}`,
    "font-size": "0",
    "line-height": "0",
  });
  return table(` width="${numberAttribute(element, "width", 100)}%"`, `<tr><td style="${style}">&nbsp;</td></tr>`);
};
