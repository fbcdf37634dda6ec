import { html } from "hono/html";
import type { LinkKind, RecipientView, ShownList } from "../../types/recipient.ts";
import { type Content, type Markup, type Names, phrase } from "./layout.ts";
import type { Texts } from "./texts.ts";

/** Data of a page. `preferences` is a path; `acted` is true after a POST. */
export type Shown = { view: RecipientView; texts: Texts; preferences: string; acted: boolean };

type Contact = NonNullable<RecipientView["contact"]>;

const button = (action: string, label: string, isMain = true): Markup =>
  html`<button name="do" value="${action}"${isMain ? html` class="main"` : ""}>${label}</button>`;

const form = (content: Markup): Markup => html`<form method="post">${content}</form>`;

const text = (words: string, names: Names): Markup => html`<p>${phrase(words, names)}</p>`;

const noContact = ({ view: { team }, texts }: Shown, heading: string): Content => ({
  heading,
  team,
  body: text(texts.noContact, { team }),
});

const hasLeft = ({ subscribed, optInStatus }: Contact): boolean => !subscribed || optInStatus === "rejected";

const unsubscribePage = ({ view: { team }, texts, preferences }: Shown, contact: Contact): Content => {
  const { list } = contact;
  const names = { team, list: list?.name };
  const choose = html`<p><a href="${preferences}">${texts.choose}</a></p>`;
  const left = list?.subscribed === false && !hasLeft(contact);
  if (left || hasLeft(contact)) {
    const said = text(left ? texts.leftList : texts.leftTeam, names);
    const rest = left ? form(button("unsubscribe", texts.everything, false)) : "";
    return { heading: texts.unsubscribed, team, body: html`${said}${rest}${choose}` };
  }
  const asked = text(list ? texts.leaveList : texts.leaveTeam, names);
  const buttons = html`${button("leave", texts.unsubscribe)}${list ? button("unsubscribe", texts.everything, false) : ""}`;
  const still = html`<p class="soft">${texts.stillSent}</p>`;
  return { heading: texts.question, team, body: html`${asked}${form(buttons)}${still}${choose}` };
};

/** `shown` records visible lists, so that an absent tick does not leave a later list. */
const choice = ({ id, name, description, subscribed }: ShownList): Markup => html`
<input type="hidden" name="shown" value="${id}">
<label><input type="checkbox" name="list" value="${id}"${subscribed ? html` checked` : ""}><span dir="auto">${name}${description === "" ? "" : html`<small>${description}</small>`}</span></label>`;

const preferencesPage = ({ view: { team }, texts, acted }: Shown, contact: Contact): Content => {
  const { lists, optInStatus, isOwn } = contact;
  const names = { team };
  const isPending = optInStatus === "pending";
  const getsNothing = hasLeft(contact) || (isPending && !isOwn);
  // A link to a former address can only unsubscribe.
  const saved = acted && (isOwn || !getsNothing) ? html`<p role="status">${texts.saved}</p>` : "";
  const page = { heading: texts.preferences, team };
  if (getsNothing) {
    const again = isOwn ? form(button("resubscribe", texts.resubscribe)) : "";
    return { ...page, body: html`${saved}${text(texts.leftTeam, names)}${again}` };
  }
  if (isPending) {
    const buttons = html`${button("resubscribe", texts.confirm)}${button("unsubscribe", texts.everything, false)}`;
    return { ...page, body: html`${saved}${text(texts.confirmTeam, names)}${form(buttons)}` };
  }
  if (lists.length === 0) {
    const leave = form(button("unsubscribe", texts.everything, false));
    return { ...page, body: html`${saved}${text(texts.subscribed, names)}${leave}` };
  }
  const choices = html`<fieldset><legend>${phrase(texts.which, names)}</legend>${lists.map(choice)}</fieldset>`;
  const buttons = html`${button("choose", texts.save)}${button("unsubscribe", texts.everything, false)}`;
  return { ...page, body: html`${saved}${form(html`${choices}${buttons}`)}<p class="soft">${texts.stillSent}</p>` };
};

const confirmPage = (shown: Shown, { subscribed, optInStatus, isOwn, list }: Contact): Content => {
  const { team, texts, preferences } = { ...shown, team: shown.view.team };
  const names = { team, list: list?.name };
  if (!isOwn) return noContact(shown, texts.preferences);
  const isAccepted = optInStatus === "accepted";
  if (optInStatus === "rejected" || (isAccepted && !subscribed)) {
    const said = text(texts.leftTeam, names);
    return { heading: texts.unsubscribed, team, body: html`${said}${form(button("confirm", texts.confirm, false))}` };
  }
  if (isAccepted && list?.subscribed !== false) {
    const choose = html`<p><a href="${preferences}">${texts.choose}</a></p>`;
    return { heading: texts.confirmed, team, body: html`${text(texts.thanks, names)}${choose}` };
  }
  const asked = text(list ? texts.confirmList : texts.confirmTeam, names);
  const buttons = html`${button("confirm", texts.confirm)}${button("reject", texts.reject, false)}`;
  return { heading: texts.confirmQuestion, team, body: html`${asked}${form(buttons)}` };
};

const PAGES = { unsubscribe: unsubscribePage, preferences: preferencesPage, confirm: confirmPage };

export const pageOf = (kind: LinkKind, shown: Shown): Content => {
  const { contact } = shown.view;
  return contact ? PAGES[kind](shown, contact) : noContact(shown, shown.texts.preferences);
};
