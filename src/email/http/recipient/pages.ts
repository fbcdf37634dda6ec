import { html, raw } from "hono/html";
import { unsubscribeReasons } from "../../../lib/contract/admin/email/campaigns/statistics.ts";
import type { LinkKind, RecipientAction, RecipientView, ShownList, UnsubscribeReason } from "../../types/recipient.ts";
import { type Content, type Markup, type Names, phrase } from "./layout.ts";
import type { Texts } from "./texts/english.ts";

/** Data of a page. `preferences` is a path; `action` is what a POST did. */
export type Shown = { view: RecipientView; texts: Texts; preferences: string; action?: RecipientAction | undefined };

type Contact = NonNullable<RecipientView["contact"]>;

const button = (action: string, label: string, isMain = true): Markup =>
  html`<button name="do" value="${action}"${isMain ? html` class="main"` : ""}>${label}</button>`;

const form = (content: Markup): Markup => html`<form method="post">${content}</form>`;

const text = (words: string, names: Names): Markup => html`<p>${phrase(words, names)}</p>`;

const status = (words: string): Markup => html`<p class="note" role="status">${words}</p>`;

const toPreferences = ({ texts, preferences }: Shown): Markup =>
  html`<a class="button" href="${preferences}">${texts.choose}</a>`;

const noContact = ({ view: { sender }, texts }: Shown, heading: string): Content => ({
  heading,
  sender,
  body: text(texts.noContact, { team: sender.name }),
});

const hasLeft = ({ subscribed, optInStatus }: Contact): boolean => !subscribed || optInStatus === "rejected";

const WORDS = {
  too_many: "tooMany",
  not_for_me: "notForMe",
  never_signed_up: "neverSignedUp",
  something_else: "somethingElse",
} as const satisfies Record<UnsubscribeReason, keyof Texts>;

/** Asks a person only if an engagement keeps the answer. */
const why = ({ reason }: Contact, texts: Texts): Markup | "" => {
  if (reason === undefined) return "";
  if (reason !== null) return status(texts.answered);
  const chips = unsubscribeReasons.map((one) => html`<button name="why" value="${one}">${texts[WORDS[one]]}</button>`);
  return form(html`<fieldset><legend>${texts.why}</legend><div class="chips">${chips}</div></fieldset>`);
};

const unsubscribePage = (shown: Shown, contact: Contact): Content => {
  const { texts, view } = shown;
  const { sender } = view;
  const { list } = contact;
  const names = { team: sender.name, list: list?.name };
  const left = list?.subscribed === false && !hasLeft(contact);
  const still = html`<p class="soft">${texts.stillSent}</p>`;
  if (left || hasLeft(contact)) {
    const said = text(left ? texts.leftList : texts.leftTeam, names);
    const undo = contact.canReturn ? button("undo", texts.undo) : "";
    const rest = left ? button("unsubscribe", texts.everything, false) : "";
    const buttons = undo === "" && rest === "" ? "" : form(html`${undo}${rest}`);
    const body = html`${said}${still}${buttons}${toPreferences(shown)}${why(contact, texts)}`;
    return { heading: texts.unsubscribed, sender, isDone: true, body };
  }
  if (shown.action?.do === "undo") {
    const said = list ? "" : text(texts.subscribed, names);
    const again = form(button("leave", texts.unsubscribe, false));
    return { heading: texts.kept, sender, isDone: true, body: html`${said}${again}${toPreferences(shown)}` };
  }
  const asked = text(list ? texts.leaveList : texts.leaveTeam, names);
  const buttons = html`${button("leave", texts.unsubscribe)}${list ? button("unsubscribe", texts.everything, false) : ""}`;
  return { heading: texts.question, sender, body: html`${asked}${still}${form(buttons)}${toPreferences(shown)}` };
};

/** Each list is a form of its own, so that a switch counts at once, without scripts. */
const choice = ({ id, name, description, subscribed }: ShownList, index: number, isLast: boolean): Markup => {
  const about = description === "" ? "" : html`<small id="about-${index}" dir="auto">${description}</small>`;
  return html`
<li><span><b id="list-${index}" dir="auto">${name}</b>${about}</span>${form(
    html`<button role="switch" aria-checked="${subscribed ? "true" : "false"}" name="${subscribed ? "off" : "on"}" value="${id}" aria-labelledby="list-${index}"${about === "" ? "" : html` aria-describedby="about-${index}"`}${isLast ? raw(" autofocus") : ""}></button>`,
  )}</li>`;
};

const preferencesPage = ({ view: { sender }, texts, action }: Shown, contact: Contact): Content => {
  const { lists, optInStatus, isOwn } = contact;
  const names = { team: sender.name };
  const isPending = optInStatus === "pending";
  const getsNothing = hasLeft(contact) || (isPending && !isOwn);
  // A link to a former address can only unsubscribe.
  const saved = action && (isOwn || !getsNothing) ? status(texts.saved) : "";
  const page = { heading: texts.preferences, sender };
  if (getsNothing) {
    const again = isOwn ? form(button("resubscribe", texts.resubscribe)) : "";
    return { ...page, body: html`${saved}${text(texts.leftTeam, names)}${again}` };
  }
  const everything = button("unsubscribe", texts.everything, false);
  if (isPending) {
    const buttons = html`${button("resubscribe", texts.confirm)}${everything}`;
    return { ...page, body: html`${saved}${text(texts.confirmTeam, names)}${form(buttons)}` };
  }
  const still = html`<p class="soft">${texts.stillSent}</p>`;
  if (lists.length === 0) {
    return { ...page, body: html`${saved}${text(texts.subscribed, names)}${form(everything)}${still}` };
  }
  const changed = action?.do === "choose" ? Object.keys(action.lists) : [];
  const choices = lists.map((list, index) => choice(list, index, changed.includes(list.id)));
  return {
    ...page,
    title: texts.preferences,
    heading: phrase(texts.which, names),
    body: html`<p>${texts.atOnce}</p>${saved}<ul class="lists">${choices}
</ul>${form(everything)}${still}`,
  };
};

const confirmPage = (shown: Shown, { subscribed, optInStatus, isOwn, list }: Contact): Content => {
  const { texts, view } = shown;
  const { sender } = view;
  const names = { team: sender.name, list: list?.name };
  if (!isOwn) return noContact(shown, texts.preferences);
  const isAccepted = optInStatus === "accepted";
  if (optInStatus === "rejected" || (isAccepted && !subscribed)) {
    const again = form(button("confirm", texts.confirm, false));
    return { heading: texts.unsubscribed, sender, isDone: true, body: html`${text(texts.leftTeam, names)}${again}` };
  }
  if (isAccepted && list?.subscribed !== false) {
    const body = html`${text(texts.thanks, names)}${toPreferences(shown)}`;
    return { heading: texts.confirmed, sender, isDone: true, body };
  }
  const asked = text(list ? texts.confirmList : texts.confirmTeam, names);
  const buttons = html`${button("confirm", texts.confirm)}${button("reject", texts.reject, false)}`;
  return { heading: texts.confirmQuestion, sender, body: html`${asked}${form(buttons)}` };
};

const PAGES = { unsubscribe: unsubscribePage, preferences: preferencesPage, confirm: confirmPage };

export const pageOf = (kind: LinkKind, shown: Shown): Content => {
  const { contact } = shown.view;
  return contact ? PAGES[kind](shown, contact) : noContact(shown, shown.texts.preferences);
};
