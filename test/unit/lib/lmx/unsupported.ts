const GMAIL_WEB = "gmail.mobile-webmail";
const GMAIL = [GMAIL_WEB, "gmail.android", "gmail.desktop-webmail", "gmail.ios"];
const WORD = ["outlook.windows", "outlook.windows-mail"];
const OUTLOOK_APPS = ["outlook.android", "outlook.ios", "outlook.outlook-com"];
const YAHOO = ["yahoo.android", "yahoo.desktop-webmail", "yahoo.ios"];

/** Unsupported features that the HTML uses all the same: the mail stays readable. */
export const ACCEPTED: readonly { feature: string; clients: readonly string[]; why: string }[] = [
  {
    feature: "<body> element",
    clients: ["outlook.macos", "yahoo.android", "yahoo.ios"],
    why: "its color is on the outer table too, and its language on the article",
  },
  { feature: "<style> element", clients: [GMAIL_WEB], why: "every style is inline; sheets hold media rules only" },
  { feature: "@media", clients: [GMAIL_WEB, ...WORD], why: "columns stay side by side, and the mail stays light" },
  { feature: "Class selector", clients: [GMAIL_WEB], why: "used in media rules only" },
  {
    feature: "Attribute selector",
    clients: [GMAIL_WEB, ...WORD],
    why: "Outlook's marks for dark mode; others have none",
  },
  { feature: "Descendant combinator", clients: [GMAIL_WEB], why: "part of the rules for Outlook's dark mode" },
  {
    feature: "color-scheme meta tag",
    clients: [...GMAIL, ...WORD, ...OUTLOOK_APPS, "outlook.macos", ...YAHOO, "apple-mail.ios"],
    why: "Apple Mail on the desktop reads it; others decide by themselves",
  },
  { feature: "target attribute", clients: [...GMAIL, "outlook.outlook-com", ...YAHOO], why: "webmail sets it itself" },
  {
    feature: "aria-hidden attribute",
    clients: ["outlook.windows-mail", ...YAHOO],
    why: "screen readers read the preview text first there",
  },
  {
    feature: "aria-label attribute",
    clients: ["outlook.windows-mail", ...YAHOO],
    why: "names the article by the subject, which the client shows too",
  },
  { feature: "role attribute", clients: ["outlook.windows-mail"], why: "layout tables are read as tables there" },
  { feature: "border-radius", clients: WORD, why: "corners are square; buttons have a shape of their own" },
  { feature: "box-sizing", clients: [GMAIL_WEB, ...WORD, ...YAHOO], why: "the border of a picture adds to its width" },
  { feature: "display:none", clients: [GMAIL_WEB], why: "hides the preview text; max-height and overflow do it there" },
  { feature: "height property", clients: YAHOO, why: "becomes a least height, which icons and pictures have as well" },
  { feature: "max-height property", clients: WORD, why: "hides the preview text; mso-hide does it there" },
  { feature: "overflow", clients: WORD, why: "hides the preview text; mso-hide does it there" },
  { feature: "white-space", clients: WORD, why: "pre keeps line breaks by itself; long lines of code widen the mail" },
  { feature: "word-break", clients: ["outlook.windows-mail", ...YAHOO], why: "a very long word widens the mail there" },
];
