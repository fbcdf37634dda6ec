import type { Values } from "../../../lib/lmx/fill.ts";
import { VIEW_LINK } from "../../../lib/lmx/language/variables.ts";
import { type Body, noLinks, withFooter } from "../../../lib/mail-body/body.ts";
import { cleanLinks } from "../../../lib/mail-body/links.ts";
import { addressDigest } from "../../mail/links/address.ts";
import { marketingParts } from "../../mail/links/marketing.ts";
import { TRACKING_PATHS, trackingLinksOf } from "../../mail/links/tracking.ts";
import { LINK_PATHS, VIEW_PATH } from "../../mail/links/urls.ts";
import { pictureOf, shownPlaces, trackLinks } from "../../mail/tracking/rewrite.ts";
import type { CompiledMessage } from "../../types/compiled-message.ts";
import type { Mail } from "../../types/mail-handover.ts";
import type { ClaimedSend } from "../../types/mailer-rpc.ts";

export type MarketingParts = {
  mail: Pick<Extract<Mail, { class: "marketing" }>, "class" | "listId" | "unsubscribeUrl" | "origin">;
  values: Values;
  finish(body: Body): Promise<Body>;
};

export type LinkSettings = { secret: string | undefined; publicUrl: string | undefined };

/** Returns why links cannot be made. Mail without an unsubscribe link is not sent. */
export const linkProblem = ({ secret, publicUrl }: LinkSettings): string | undefined => {
  if (publicUrl !== undefined && secret) return undefined;
  const setting = secret
    ? "PUBLIC_URL is not set. Set it without a path, such as https://mail.example.com."
    : "API_KEY_SECRET is not set. Set it.";
  return `This marketing mail has no way to unsubscribe, because ${setting}`;
};

/** Builds marketing parts of a mail with this content. Throws if `linkProblem` has a reason. */
export const marketingOf = async (
  settings: LinkSettings,
  team: string,
  { n, recipient, marketing, revision, values }: ClaimedSend,
  domain: string,
  content: Pick<CompiledMessage, "html" | "variables"> = { html: [], variables: [] },
): Promise<MarketingParts | undefined> => {
  if (!marketing) return undefined;
  const { secret, publicUrl } = settings;
  if (publicUrl === undefined || !secret) throw new Error(linkProblem(settings));
  const { contact, message, run, list, origin, isTracked, team: name, postalAddress, footer: ofTeam } = marketing;
  const address = addressDigest(recipient);
  const target = { team, send: n, row: contact.n, contact: contact.id, address, ...(list ? { list } : {}) };
  const viewed = content.variables.includes(VIEW_LINK) ? { revision, values: JSON.parse(values) as Values } : undefined;
  const parts = await marketingParts(secret, publicUrl, target, domain, viewed);
  const tracked = { team, send: n, contact: contact.n, message, run };
  const tracking = isTracked ? await trackingLinksOf(secret, publicUrl, tracked) : undefined;
  const own = [...Object.values(LINK_PATHS), ...Object.values(TRACKING_PATHS), VIEW_PATH].map(
    (path) => `${publicUrl}${path}/`,
  );
  const isOwn = (url: string) => own.some((start) => url.startsWith(start));
  return {
    mail: { ...parts.mail, ...(origin === undefined ? {} : { origin }) },
    values: parts.values,
    async finish({ html, text }) {
      const footer = {
        team: name,
        postalAddress,
        footer: ofTeam,
        unsubscribeUrl: parts.mail.unsubscribeUrl,
        preferencesUrl: parts.preferencesUrl,
      };
      if (!tracking) return withFooter({ html: cleanLinks(html), text }, footer);
      const places = shownPlaces(content.html, () => ({
        ...noLinks,
        ...(JSON.parse(values) as Values),
        ...parts.values,
      }));
      const linked = await trackLinks(html, { linkOf: tracking.linkOf, isOwn, places });
      return withFooter({ html: linked, text }, footer, pictureOf(tracking.picture));
    },
  };
};
