import { describe, expect, it } from "vitest";
import type { Delivery } from "../../../src/outbox/model/journal-types.ts";
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

const delivery = (action: Delivery["action"], key: string): Delivery =>
  ({
    action,
    key,
    state: "done",
    due: 0,
    attempts: [],
    contact: { email: EMAIL, userId: USER },
  }) as unknown as Delivery;

const acceptedOf = (n: number) => ({
  id: `wh_${n}`,
  source: "generic",
  eventId: `msg_${n}`,
  type: "person.noted",
  deliveries: [delivery("contact", `contact ${n}`), delivery("event", `event ${n}`)],
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
  service: {
    keys: [1, 2, 3].map((n) => ({ operation: "events.send", key: `event ${n}` })),
    contacts: [{ email: EMAIL, userId: USER, data: { firstName: "v3", properties: {} } as Record<string, unknown> }],
    events: [1, 2, 3].map((webhook) => ({ email: EMAIL, name: "noted", properties: { webhook } })),
    sends: [] as { recipient: string; state: string }[],
  },
  mails: 0,
  patient: true,
});

/** Eleven probes. */
const elevenArrivals = (times: (n: number) => { at: number; since?: number; left: number }): Arrival[] =>
  Array.from({ length: 11 }, (_, n) => {
    const { at, since = at, left } = times(n);
    return { n: 100 + n, at, since, left, method: "GET", path: "/v1/api-key", body: "", passings: [] };
  });

type Run = ReturnType<typeof goodRun>;
const eventOf = (run: Run, n: number) => run.journal[n - 1]?.deliveries[1] as Delivery;
const updateOf = (run: Run, n: number) => run.journal[n - 1]?.deliveries[0] as Delivery;

const broken: readonly (readonly [string, (run: Run) => void, readonly string[]])[] = [
  [
    "a webhook that is not in the journal",
    (run) => void run.journal.splice(0, 1),
    ["nothing is lost", "nothing is acted on twice"],
  ],
  ["a webhook that is in the journal twice", (run) => void run.journal.push(acceptedOf(3)), ["one webhook acts once"]],
  [
    "a webhook that nobody sent",
    (run) => void run.journal.push({ ...acceptedOf(4), deliveries: [] }),
    ["nothing is lost"],
  ],
  ["a delivery that waits", (run) => Object.assign(eventOf(run, 2), { state: "waiting" }), ["every delivery settles"]],
  [
    "a delivery that is undecided",
    (run) => Object.assign(updateOf(run, 2), { state: "undecided" }),
    ["every delivery settles"],
  ],
  [
    "an update replaced by nothing",
    (run) => Object.assign(updateOf(run, 3), { state: "replaced" }),
    ["nothing is lost"],
  ],
  [
    "a skipped event that landed",
    (run) => Object.assign(eventOf(run, 3), { state: "skipped" }),
    ["nothing is lost", "no landed delivery is called skipped without a word"],
  ],
  [
    "a key that no delivery has",
    (run) => void run.service.keys.push({ operation: "events.send", key: "another" }),
    ["nothing is acted on twice", "nothing is acted on twice"],
  ],
  [
    "an event that the email service has twice",
    (run) => void run.service.events.push({ email: EMAIL, name: "noted", properties: { webhook: 2 } }),
    ["nothing is acted on twice", "nothing is acted on twice"],
  ],
  [
    "a send without a key",
    (run) => void run.service.sends.push({ recipient: EMAIL, state: "sent" }),
    ["nothing is acted on twice"],
  ],
  [
    "a failed event that landed",
    (run) => Object.assign(eventOf(run, 1), { state: "failed" }),
    ["no landed delivery is called failed"],
  ],
  [
    "a failed update that landed",
    (run) => Object.assign(updateOf(run, 1), { state: "failed" }),
    ["no landed delivery is called failed"],
  ],
  [
    "a failed delivery that the email service never refused",
    (run) => {
      Object.assign(eventOf(run, 1), { state: "failed" });
      run.service.keys.shift();
      run.service.events.shift();
    },
    ["only the email service's refusal makes a delivery failed"],
  ],
  [
    "an event that the email service never acted on",
    (run) => {
      run.service.keys.shift();
      run.service.events.shift();
    },
    ["no delivery is called done that the email service never acted on"],
  ],
  [
    "an update that the email service never acted on",
    (run) => void run.arrivals.splice(4, 1),
    ["no delivery is called done that the email service never acted on", "deliveries of one person keep their order"],
  ],
  [
    "an event before the update of its webhook",
    (run) => Object.assign(run.arrivals[5] as Arrival, { at: 2_900 }),
    ["deliveries of one person keep their order"],
  ],
  [
    "an event before an earlier one was settled",
    (run) => Object.assign(run.arrivals[1] as Arrival, { at: 2_500 }),
    ["deliveries of one person keep their order"],
  ],
  [
    "an old value at the email service",
    (run) => Object.assign(run.service.contacts[0]?.data as object, { firstName: "v2" }),
    ["the newest values win"],
  ],
  [
    "11 requests in a second",
    (run) => run.arrivals.push(...Array.from({ length: 10 }, () => run.arrivals[0] as Arrival)),
    ["at most 10 requests in any second"],
  ],
  [
    "11 requests that left in a second, though they arrived one by one",
    (run) => run.arrivals.push(...elevenArrivals((n) => ({ at: 20_000 + n * 200, left: 19_000 + n * 99 }))),
    ["at most 10 requests in any second"],
  ],
  ["a mail that no delivery made", (run) => Object.assign(run, { mails: 1 }), ["one mail for each delivery"]],
  [
    "a deleted contact that is back",
    (run) => {
      run.sent.push({ ...sentOf(4, "removed"), person: 2 });
      run.journal.push({
        ...acceptedOf(4),
        deliveries: [{ ...delivery("delete", "delete 4"), removes: true } as unknown as Delivery],
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
      run.service.contacts.push({ email: "reader2@example.com", userId: "user_reader2", data: {} });
    },
    ["a removed person stays removed"],
  ],
  [
    "a refused delivery that is called done",
    (run) => {
      run.sent.push(sentOf(4, "misdescribed"));
      run.journal.push({ ...acceptedOf(4), deliveries: [delivery("transactional", "mail 4")] });
      run.service.keys.push({ operation: "transactional.send", key: "mail 4" });
      run.service.sends.push({ recipient: EMAIL, state: "sent" });
      run.mails = 1;
    },
    ["a refused delivery is not called done"],
  ],
];

describe("the checks of a run", () => {
  it("find nothing in a good run", () => {
    expect(violationsOf(goodRun() satisfies Evidence)).toEqual([]);
  });

  it("find nothing where the machine was late, and the bridge let the requests go one by one", () => {
    const run = goodRun();
    run.arrivals.push(...elevenArrivals((n) => ({ at: 20_000, since: 19_000 + n * 110, left: 19_000 + n * 110 })));
    expect(violationsOf(run)).toEqual([]);
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
