import type { Context } from "hono";
import { html } from "hono/html";
import { fill, namesAsValues } from "../../../lib/lmx/fill.ts";
import { UNSUBSCRIBE_LINK, VIEW_LINK } from "../../../lib/lmx/language/variables.ts";
import { withFooter } from "../../../lib/mail-body/body.ts";
import { cleanLinks } from "../../../lib/mail-body/links.ts";
import type { ViewedMail } from "../../mail/links/link-token.ts";
import { preferencesUrlOf, unsubscribeUrlOf } from "../../mail/links/urls.ts";
import type { MailSource } from "../../types/recipient.ts";
import { languageFor } from "./answer.ts";

/** A mail is markup of its team: it has no scripts, forms and frames, and no origin. Its links open by a click. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "img-src https: http: data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation",
].join("; ");

const NOTE = "margin:0;padding:12px 16px;font:14px/20px system-ui,sans-serif;color:#0f1a1d;background:#fdf1dc;";

type Drawn = Omit<MailSource, "content" | "sender"> & { content: NonNullable<MailSource["content"]> };

/** Draws a marketing mail for its recipient, without tracking, with its links. `secret` signs them. */
export const mailInBrowser = async (
  c: Context,
  { target, revision: _, values }: ViewedMail,
  { content, footer }: Drawn,
  { secret, publicUrl }: { secret: string; publicUrl: string },
): Promise<Response> => {
  const [unsubscribeUrl, preferencesUrl] = await Promise.all([
    unsubscribeUrlOf(secret, publicUrl, target),
    preferencesUrlOf(secret, publicUrl, target),
  ]);
  const links = { [UNSUBSCRIBE_LINK]: unsubscribeUrl, [VIEW_LINK]: publicUrl + c.req.path };
  const filled = fill(content.html, { ...(values ?? namesAsValues(content)), ...links }, publicUrl);
  const body = { html: cleanLinks(filled), text: "" };
  const mail = withFooter(body, { ...footer, unsubscribeUrl, preferencesUrl }).html;
  const { lang, texts } = languageFor(c);
  const note = values ? "" : html`<p lang="${lang}" dir="${texts.dir}" style="${NOTE}">${texts.erased}</p>`;
  return c.html(
    mail.replace(/<body\b[^>]*>/, (start) => `${start}${note}`),
    200,
    {
      "Content-Security-Policy": POLICY,
      "Referrer-Policy": "no-referrer",
      "X-Content-Type-Options": "nosniff",
      "X-Robots-Tag": "noindex, nofollow",
      "Cache-Control": "no-store",
    },
  );
};
