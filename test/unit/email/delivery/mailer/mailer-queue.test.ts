import { expect, it } from "vitest";
import { MailerQueue } from "../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { type Note, nothingNoted } from "../../../../../src/email/delivery/mailer/note.ts";
import type { Order } from "../../../../../src/email/types/mailer-rpc.ts";

const queueWith = (note: Note): MailerQueue =>
  new MailerQueue({
    mailClass: "marketing",
    now: () => 0,
    wait: async () => {},
    handOver: async () => ({ sender: "smtp", handover: { outcome: "accepted", reply: "250 queued" } }),
    notes: { read: () => note, write: async () => {} },
  });

const claim = { n: 1, attempt: 1 };
const order: Order = { stamp: [1, 1], until: 1_000, sends: [], known: [claim], wait: 0 };

it("a recall after a reset: a mail that an earlier life may have handed over is lost, not one that never left", async () => {
  const queue = queueWith({ claims: [claim], results: [] });
  expect(queue.recall([claim])).toEqual([]);
  expect(await queue.exchange(order)).toEqual({ results: [], lost: [claim], never: [] });
});

it("a recall before the order arrives: the mail never leaves", async () => {
  const queue = queueWith(nothingNoted);
  expect(queue.recall([claim])).toEqual([]);
  expect(await queue.exchange(order)).toEqual({ results: [], lost: [], never: [claim] });
});
