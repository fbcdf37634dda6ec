import { describe, expect, it } from "vitest";
import type { Call } from "../../../src/outbox/model/types.ts";
import { type Evidence, violationsOf } from "../../faults/torture/checks.ts";
import { kinds, spells } from "../../faults/torture/faults.ts";
import type { Sent } from "../../faults/torture/provider.ts";
import type { Arrival } from "../../faults/torture/proxy.ts";

const EMAIL = "writer1@example.com";
const USER = "user_writer1";

const sentOf = (n: number, topic: Sent["topic"] = "noted"): Sent => ({
  n,
  topic,
  person: 1,
  at: n,
  requests: 1,
  accepted: n,
  source: "generic",
  eventId: `msg_${n}`,
  payload: "",
  headers: {},
});

const call = (action: Call["action"], key: string): Call =>
  ({ action, key, state: "done", due: 0, attempts: [], contact: { email: EMAIL, userId: USER } }) as unknown as Call;

const acceptedOf = (n: number) => ({
  id: `wh_${n}`,
  source: "generic",
  eventId: `msg_${n}`,
  type: "person.noted",
  calls: [call("contact", `contact ${n}`), call("event", `event ${n}`)],
});

const arrivalsOf = (n: number, at: number): Arrival[] => {
  const passings = [{ at, status: 200 }];
  const who = { userId: USER, email: EMAIL };
  return [
    ...[{ n: 2 * n, at, since: at, method: "PUT", path: "/v1/contacts/update", passings }].map((one) => ({
      ...one,
      body: JSON.stringify({ ...who, firstName: `v${n}` }),
    })),
    ...[
      {
        n: 2 * n + 1,
        at: at + 150,
        since: at + 150,
        method: "POST",
        path: "/v1/events/send",
        key: `event ${n}`,
        passings,
      },
    ].map((one) => ({
      ...one,
      body: JSON.stringify({ ...who, eventName: "noted", eventProperties: { webhook: n } }),
    })),
  ];
};

const goodRun = () => ({
  sent: [1, 2, 3].map((n) => sentOf(n)),
  journal: [1, 2, 3].map(acceptedOf),
  arrivals: [1, 2, 3].flatMap((n) => arrivalsOf(n, n * 1_000)),
  host: {
    keys: [1, 2, 3].map((n) => ({ operation: "events.send", key: `event ${n}` })),
    contacts: [{ email: EMAIL, userId: USER, data: { firstName: "v3", properties: {} } as Record<string, unknown> }],
    events: [1, 2, 3].map((webhook) => ({ email: EMAIL, name: "noted", properties: { webhook } })),
    sends: [] as { recipient: string; state: string }[],
  },
  mails: 0,
  patient: true,
});

type Run = ReturnType<typeof goodRun>;
const eventOf = (run: Run, n: number) => run.journal[n - 1]?.calls[1] as Call;
const updateOf = (run: Run, n: number) => run.journal[n - 1]?.calls[0] as Call;

const broken: readonly (readonly [string, (run: Run) => void, readonly string[]])[] = [
  [
    "a webhook that is not in the journal",
    (run) => void run.journal.splice(0, 1),
    ["nothing is lost", "nothing is acted on twice"],
  ],
  ["a webhook that is in the journal twice", (run) => void run.journal.push(acceptedOf(3)), ["one webhook acts once"]],
  ["a webhook that nobody sent", (run) => void run.journal.push({ ...acceptedOf(4), calls: [] }), ["nothing is lost"]],
  ["a call that waits", (run) => Object.assign(eventOf(run, 2), { state: "waiting" }), ["every call settles"]],
  ["a call that is parked", (run) => Object.assign(updateOf(run, 2), { state: "parked" }), ["every call settles"]],
  [
    "an update superseded by nothing",
    (run) => Object.assign(updateOf(run, 3), { state: "superseded" }),
    ["nothing is lost"],
  ],
  [
    "a skipped event that landed",
    (run) => Object.assign(eventOf(run, 3), { state: "skipped" }),
    ["nothing is lost", "no landed call is called skipped without a word"],
  ],
  [
    "a key that no call has",
    (run) => void run.host.keys.push({ operation: "events.send", key: "another" }),
    ["nothing is acted on twice", "nothing is acted on twice"],
  ],
  [
    "an event that the host has twice",
    (run) => void run.host.events.push({ email: EMAIL, name: "noted", properties: { webhook: 2 } }),
    ["nothing is acted on twice", "nothing is acted on twice"],
  ],
  [
    "a send without a key",
    (run) => void run.host.sends.push({ recipient: EMAIL, state: "sent" }),
    ["nothing is acted on twice"],
  ],
  [
    "a dead event that landed",
    (run) => Object.assign(eventOf(run, 1), { state: "dead" }),
    ["no landed call is called dead"],
  ],
  [
    "a dead update that landed",
    (run) => Object.assign(updateOf(run, 1), { state: "dead" }),
    ["no landed call is called dead"],
  ],
  [
    "a dead call that the host never refused",
    (run) => {
      Object.assign(eventOf(run, 1), { state: "dead" });
      run.host.keys.shift();
      run.host.events.shift();
    },
    ["only the host's refusal makes a call dead"],
  ],
  [
    "an event that the host never acted on",
    (run) => {
      run.host.keys.shift();
      run.host.events.shift();
    },
    ["no call is called done that the host never acted on"],
  ],
  [
    "an update that the host never acted on",
    (run) => void run.arrivals.splice(4, 1),
    ["no call is called done that the host never acted on", "calls of one person keep their order"],
  ],
  [
    "an event before the update of its webhook",
    (run) => Object.assign(run.arrivals[5] as Arrival, { at: 2_900 }),
    ["calls of one person keep their order"],
  ],
  [
    "an event before an earlier one was settled",
    (run) => Object.assign(run.arrivals[1] as Arrival, { at: 2_500 }),
    ["calls of one person keep their order"],
  ],
  [
    "an old value at the host",
    (run) => Object.assign(run.host.contacts[0]?.data as object, { firstName: "v2" }),
    ["the newest values win"],
  ],
  [
    "11 requests in a second",
    (run) => run.arrivals.push(...Array.from({ length: 10 }, () => run.arrivals[0] as Arrival)),
    ["at most 10 requests in any second"],
  ],
  ["a mail that no call made", (run) => Object.assign(run, { mails: 1 }), ["one mail for each call"]],
  [
    "a deleted contact that is back",
    (run) => {
      run.sent.push({ ...sentOf(4, "removed"), person: 2 });
      run.journal.push({
        ...acceptedOf(4),
        calls: [{ ...call("delete", "delete 4"), removes: true } as unknown as Call],
      });
      const body = JSON.stringify({ userId: "user_reader2" });
      run.arrivals.push({
        n: 9,
        at: 9_000,
        since: 9_000,
        method: "POST",
        path: "/v1/contacts/delete",
        body,
        passings: [{ at: 0, status: 200 }],
      });
      run.host.contacts.push({ email: "reader2@example.com", userId: "user_reader2", data: {} });
    },
    ["a removed person stays removed"],
  ],
  [
    "a refused call that is called done",
    (run) => {
      run.sent.push(sentOf(4, "misdescribed"));
      run.journal.push({ ...acceptedOf(4), calls: [call("transactional", "mail 4")] });
      run.host.keys.push({ operation: "transactional.send", key: "mail 4" });
      run.host.sends.push({ recipient: EMAIL, state: "sent" });
      run.mails = 1;
    },
    ["a refused call is not called done"],
  ],
];

describe("the checks of a run", () => {
  it("find nothing in a good run", () => {
    expect(violationsOf(goodRun() satisfies Evidence)).toEqual([]);
  });

  it.each(broken)("find %s", (_, change, promises) => {
    const run = goodRun();
    change(run);
    expect(violationsOf(run).map(({ promise }) => promise)).toEqual(promises);
  });
});

it("knows at least 37 kinds of fault, each by its own name", () => {
  const names = [...kinds, ...spells].map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThanOrEqual(37);
});
