const MAX_TEXT = 20_000;

/** Titles of the returned mail. */
const TITLE =
  /^[ \t>*]{0,40}(?:-{2,40}.{0,200}(?:copy of the message|below this line|original (?:message|mail)|returned (?:message|text)|message headers?|headers? of the|ursprüngliche nachricht|message d'origine|mensaje original).*|-{3,40}[ \t]{0,40}(?:original message|forwarded message).*|(?:included is a|here is a|below is a|this is a|a) copy of (?:the|your).*|(?:the )?(?:original |returned )?(?:message )?headers? (?:follow|of the (?:original|returned)).*|(?:the )?original (?:message|mail) (?:follows|headers?|header).*|(?:your )?(?:original|returned) message:?.{0,20})$/im;

/** Fields that only a mail's own header has. */
const OWN = /^(?:return-path|received|message-id|mime-version|dkim-signature|list-unsubscribe|x-mailer):/i;
const FIELD = /^(?:[\w-]{2,40}:|[ \t]+\S)/;

/** Returns what a server says, without the mail or header that it returns: their words are not its own. */
export const told = (text: string): string => {
  const body = text.slice(0, MAX_TEXT);
  const titled = body.slice(0, TITLE.exec(body)?.index ?? body.length);
  const lines = titled.split(/\r?\n/);
  const own = lines.findIndex((line) => OWN.test(line));
  if (own === -1) return titled;
  let start = own;
  while (start > 0 && FIELD.test(lines[start - 1] ?? "")) start -= 1;
  return start === 0 ? titled : lines.slice(0, start).join("\n");
};
