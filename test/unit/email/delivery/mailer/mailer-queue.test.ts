import { expect, it } from "vitest";
import { MailerQueue } from "../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { type Note, nothingNoted } from "../../../../../src/email/delivery/mailer/note.ts";
import type { ClaimedSend, Order } from "../../../../../src/email/types/mailer-rpc.ts";

const queueWith = (note: Note, write: (note: Note) => void = () => {}, started: string[] = []): MailerQueue =>
  new MailerQueue({
    mailClass: "marketing",
    now: () => 0,
    wait: async () => {},
    handOver: async ({ id }) => {
      started.push(id);
      return { sender: "smtp", handover: { outcome: "accepted", reply: "250 queued" } };
    },
    notes: { read: () => note, write: async (note) => write(note) },
  });

const claim = { n: 1, attempt: 1 };
const order: Order = { stamp: [1, 1], until: 1_000, sends: [], known: [claim], wait: 0 };

it("a recall after a reset: a mail that an earlier life may have handed over is lost, not one that never left", async () => {
  const queue = queueWith({ ...nothingNoted, claims: [claim] });
  expect(queue.recall([claim])).toEqual([]);
  expect(await queue.exchange(order)).toEqual({ results: [], lost: [claim], never: [] });
});

it("a recall before the order arrives: the mail never leaves", async () => {
  const queue = queueWith(nothingNoted);
  expect(queue.recall([claim])).toEqual([]);
  expect(await queue.exchange(order)).toEqual({ results: [], lost: [], never: [claim] });
});

it("a mail that the Mailer answered as never started does not start after a reset, when its late order arrives", async () => {
  const send: ClaimedSend = {
    ...claim,
    id: "snd_1",
    revision: 1,
    recipient: "ada@example.com",
    messageId: "<snd_1@example.com>",
    values: "{}",
    date: 0,
    withheld: [],
    preview: false,
    attachments: 0,
  };
  let note = nothingNoted;
  const started: string[] = [];
  const life = () =>
    queueWith(
      note,
      (written) => {
        note = written;
      },
      started,
    );
  const late: Order = { ...order, sends: [send] };
  expect(await life().exchange({ ...order, stamp: [1, 2] })).toEqual({ results: [], lost: [], never: [claim] });
  expect(await life().exchange(late)).toEqual({ superseded: [1, 2] });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(started).toEqual([]);
  // An order of a later life of the Workspace is taken.
  await life().exchange({ ...late, stamp: [2, 1] });
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(started).toEqual(["snd_1"]);
});

it("results leave the note with the order that names no claims, also after a note that was refused", async () => {
  const result = {
    ...claim,
    sender: "smtp",
    handover: { outcome: "accepted", reply: "250 <ada@example.com>" },
  } as const;
  let isRefused = true;
  const written: Note[] = [];
  const queue = queueWith({ ...nothingNoted, results: [result] }, (note) => {
    if (isRefused) throw new Error("SQLITE_FULL");
    written.push(note);
  });
  const answerTo = (number: number, known: Order["known"]) => queue.exchange({ ...order, stamp: [1, number], known });
  expect(await answerTo(1, [claim])).toEqual({ results: [result], lost: [], never: [], noted: true });
  expect(await answerTo(2, [])).toEqual({ results: [], lost: [], never: [], noted: true });
  isRefused = false;
  expect(await answerTo(3, [])).toEqual({ results: [], lost: [], never: [] });
  expect(await answerTo(4, [])).toEqual({ results: [], lost: [], never: [] });
  expect(written).toEqual([{ claims: [], results: [], stamp: [1, 3] }]);
});
