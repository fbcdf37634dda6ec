import { log } from "../../lib/util/log.ts";
import { acceptedAt, idOf, isOpen } from "../journal/journal.ts";
import type { News } from "../model/dependencies.ts";
import type { Call } from "../model/types.ts";

/** Characters of an event's type that are logged: it is the sender's text. */
const MOST = 100;

/** One line per webhook, and one per call that came to an end. No message of the host: it may name a person. */
export const logNews = (news: News): void => {
  if (news.kind === "webhook") {
    const { seq, source, duplicate, calls } = news;
    const type = news.type.slice(0, MOST);
    log(duplicate ? "webhook_duplicate" : "webhook_accepted", { id: idOf(seq), source, type, calls: calls.length });
    for (const [index, call] of calls.entries()) logCall(seq, index, call);
  } else if (news.kind === "call") logCall(news.seq, news.index, news.call);
};

const logCall = (seq: number, index: number, call: Call): void => {
  if (isOpen(call)) return;
  const { rule, action, state, attempts, settledAt } = call;
  log("call_settled", {
    ...{ id: `${idOf(seq)}.${index}`, rule, action, state, tries: attempts.length, status: attempts.at(-1)?.status },
    // From the acceptance of its webhook.
    ms: settledAt === undefined ? undefined : settledAt - acceptedAt(seq),
  });
};
