import { gzipSync } from "node:zlib";
import {
  asService,
  cutShort,
  HTML,
  half,
  JSON_TYPE,
  json,
  KEY_USED,
  page,
  REFUSED,
  refusal,
  type ServiceAnswer,
  SUCCESS,
  tooMany,
} from "./answers.ts";
import { answer, head, type Step } from "./wire.ts";

/** The requests that reach the email service before the fault: none, one, two, or one 12 s later. */
type Reach = "never" | "once" | "twice" | "late";

/** A fault of one request. `answer` gets the answer of a reached email service. */
export type Kind = {
  name: string;
  reach: readonly Reach[];
  answer: (service: ServiceAnswer | undefined) => readonly Step[];
  delay?: number;
  only?: "not seen by the email service" | "with a key";
};

/** A fault of the whole proxy, with its duration in ms. `answer`: all requests get it, and none reach the email service. */
export type Spell = {
  name: string;
  spell: "stall" | "refuse" | "restart" | "outage";
  ms: number;
  delay?: number;
  answer?: () => readonly Step[];
};

const BOTH = ["never", "once"] as const;
/** Ms after which the bridge gives up a request. */
const TIMEOUT = 10_000;
/** Ms of delay of a late request: it arrives after the bridge has given it up. */
export const HELD = 12_000;

const bomb = gzipSync(Buffer.alloc(40_000_000, " "));

const edgePages: readonly Kind[] = [400, 401, 403, 404, 409, 410, 500, 502, 503, 200].map((status) => ({
  name: `page ${status} in HTML`,
  reach: BOTH,
  answer: () => page(status),
}));

const otherForms: readonly Kind[] = [
  ["redirect", () => page(302, { Location: "https://login.example.com/" })],
  ["redirect to itself", () => page(308, { Location: "/v1/contacts/update" })],
  ["page 429 in HTML", () => page(429, { "Retry-After": "1" })],
  ["200 with another status object", () => json(200, '{"status":"ok"}')],
  ["200 with success false", () => json(200, '{"success":false}')],
  ["200 with an empty list", () => json(200, "[]")],
  ["200 with null", () => json(200, "null")],
  ["200 without a body", () => json(200, "")],
  ["204", () => [{ send: answer(204) }]],
  ["404 of another API", () => json(404, '{"detail":"Not Found"}')],
  ["409 of another API", () => json(409, '{"detail":"Conflict"}')],
  ["429 of another API", () => json(429, '{"detail":"Slow down"}', { "Retry-After": "1" })],
].map(([name, make]) => ({ name: name as string, reach: BOTH, answer: make as () => Step[] }));

/** The bridge waits at most a minute if something in front of the email service asks for more. */
const longWait: Kind = {
  name: "page 429 in HTML, Retry-After 3600",
  reach: ["never"],
  delay: 60,
  answer: () => page(429, { "Retry-After": "3600" }),
};

const cuts: readonly Kind[] = [
  { name: "200 cut, connection ended", reach: BOTH, answer: (service) => cutShort(200, service?.body ?? SUCCESS) },
  { name: "200 cut, length as sent", reach: BOTH, answer: (service) => json(200, half(service?.body ?? SUCCESS)) },
  { name: "409 cut, length as sent", reach: BOTH, answer: () => json(409, half(KEY_USED)) },
  { name: "409 cut, connection ended", reach: BOTH, answer: () => cutShort(409, KEY_USED) },
  { name: "400 cut, length as sent", reach: BOTH, answer: () => json(400, half(REFUSED)) },
  { name: "404 cut, connection ended", reach: BOTH, answer: () => cutShort(404, REFUSED) },
  {
    name: "length too short, rest follows",
    reach: BOTH,
    answer: () => [
      { send: answer(200, SUCCESS, { ...JSON_TYPE, "Content-Length": "9" }) },
      { wait: 50 },
      { end: true },
    ],
  },
  {
    name: "chunks without an end",
    reach: BOTH,
    answer: () => [
      { send: answer(200, `9\r\n${SUCCESS.slice(0, 9)}\r\n`, { ...JSON_TYPE, "Transfer-Encoding": "chunked" }) },
      { wait: 20 },
      { end: true },
    ],
  },
  {
    name: "chunks of garbage",
    reach: BOTH,
    answer: () => [
      { send: answer(200, "zz\r\nnonsense\r\n", { ...JSON_TYPE, "Transfer-Encoding": "chunked" }) },
      { wait: 20 },
      { end: true },
    ],
  },
];

const sizes: readonly Kind[] = [
  {
    name: "answer of 4 MB",
    reach: BOTH,
    answer: () => [
      { send: head(200, { ...JSON_TYPE, "Content-Length": String(61 * 65_536) }) },
      { flood: 61 * 65_536 },
    ],
  },
  {
    name: "stream of 20 MB without a length",
    reach: BOTH,
    answer: () => [
      { send: `${head(200, { ...JSON_TYPE, Connection: "close" })}{"success":false,"pad":"` },
      { flood: 20_000_000 },
      { end: true },
    ],
  },
  {
    name: "40 MB in 40 kB of gzip",
    reach: BOTH,
    answer: () => [{ send: answer(200, bomb, { ...JSON_TYPE, "Content-Encoding": "gzip" }) }],
  },
  {
    name: "gzip cut in the middle",
    reach: BOTH,
    answer: (service) => {
      const zipped = gzipSync(service?.body ?? SUCCESS);
      return [{ send: answer(200, zipped.subarray(0, 12), { ...JSON_TYPE, "Content-Encoding": "gzip" }) }];
    },
  },
];

const slowness: readonly Kind[] = [
  {
    name: "answer after 4 s",
    reach: ["once"],
    delay: 4,
    answer: (service) => [{ wait: 4_000 }, ...asService(service)],
  },
  {
    name: "answer after the timeout",
    reach: ["once"],
    delay: 10,
    answer: (service) => [{ wait: TIMEOUT + 500 }, ...asService(service)],
  },
  { name: "no answer", reach: BOTH, delay: 10, answer: () => [{ wait: TIMEOUT + 1_000 }, { end: true }] },
  { name: "held request", reach: ["late"], delay: 10, answer: () => [{ wait: TIMEOUT + 1_000 }, { end: true }] },
  {
    name: "body that trickles",
    reach: BOTH,
    delay: 10,
    answer: () => [
      { send: head(200, { ...JSON_TYPE, "Content-Length": "400" }) },
      { send: " ".repeat(400), every: 500 },
    ],
  },
  {
    name: "headers that trickle",
    reach: BOTH,
    delay: 10,
    answer: () => [{ send: head(200, { ...JSON_TYPE, "X-Pad": "x".repeat(400) }), every: 500 }],
  },
  {
    name: "half of the body, then silence",
    reach: BOTH,
    delay: 10,
    answer: (service) => [
      ...cutShort(200, service?.body ?? SUCCESS).slice(0, 1),
      { wait: TIMEOUT + 1_000 },
      { end: true },
    ],
  },
  {
    name: "100 Continue, then silence",
    reach: BOTH,
    delay: 10,
    answer: () => [{ send: "HTTP/1.1 100 Continue\r\n\r\n" }, { wait: TIMEOUT + 1_000 }, { end: true }],
  },
];

const connections: readonly Kind[] = [
  { name: "connection reset", reach: BOTH, answer: () => [{ reset: true }] },
  { name: "connection ended", reach: BOTH, answer: () => [{ end: true }] },
  {
    name: "reset in the headers",
    reach: BOTH,
    answer: () => [{ send: "HTTP/1.1 200 OK\r\nContent-Ty" }, { wait: 20 }, { reset: true }],
  },
  {
    name: "reset in the body",
    reach: BOTH,
    answer: (service) => [...cutShort(200, service?.body ?? SUCCESS).slice(0, 2), { reset: true }],
  },
  { name: "no HTTP", reach: BOTH, answer: () => [{ send: "SSH-2.0-OpenSSH_9.9\r\n" }, { wait: 20 }, { end: true }] },
];

const ownForm: readonly Kind[] = [
  { name: "429 of the API", reach: ["never"], answer: () => tooMany() },
  { name: "429 of the API, Retry-After 1", reach: ["never"], answer: () => tooMany({ "Retry-After": "1" }) },
  {
    name: "429 of the API, Retry-After a date",
    reach: ["never"],
    answer: () => tooMany({ "Retry-After": new Date(Date.now() + 2_000).toUTCString() }),
  },
  {
    name: "429 of the API, Retry-After 12",
    reach: ["never"],
    delay: 12,
    answer: () => tooMany({ "Retry-After": "12" }),
  },
  { name: "429 of the API, Retry-After in words", reach: ["never"], answer: () => tooMany({ "Retry-After": "soon" }) },
  {
    name: "401 of the API for one delivery",
    reach: ["never"],
    only: "not seen by the email service",
    answer: () => refusal(401, "invalid_api_key", "This API key is not valid."),
  },
  {
    name: "403 of the API for one delivery",
    reach: ["never"],
    only: "not seen by the email service",
    answer: () => refusal(403, "forbidden", "This contact may not be written."),
  },
  { name: "500 of the API", reach: BOTH, answer: () => refusal(500, "internal_error", "Something went wrong.") },
  {
    name: "503 of the API",
    reach: BOTH,
    answer: () => refusal(503, "unavailable", "Try again.", { "Retry-After": "1" }),
  },
  { name: "408 of the API", reach: BOTH, answer: () => refusal(408, "timeout", "Too slow.") },
  {
    name: "409 in progress",
    reach: BOTH,
    only: "with a key",
    answer: () => refusal(409, "conflict", "A request with this key is in progress."),
  },
];

const protocol: readonly Kind[] = [
  { name: "request sent twice", reach: ["twice"], answer: asService },
  {
    name: "wrong content type",
    reach: ["once"],
    answer: (service) => (service ? [{ send: answer(service.status, service.body, HTML) }] : asService(service)),
  },
  {
    name: "100 Continue first",
    reach: ["once"],
    answer: (service) => [{ send: "HTTP/1.1 100 Continue\r\n\r\n" }, ...asService(service)],
  },
  {
    name: "103 Early Hints first",
    reach: ["once"],
    answer: (service) => [
      { send: "HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n" },
      ...asService(service),
    ],
  },
  {
    name: "answer of HTTP/1.0",
    reach: ["once"],
    answer: (service) =>
      service
        ? [{ send: head(service.status, JSON_TYPE, "1.0") + service.body }, { wait: 5 }, { end: true }]
        : asService(service),
  },
  {
    name: "second answer behind the first",
    reach: ["once"],
    answer: (service) => [...asService(service), ...page(200), { wait: 20 }, { end: true }],
  },
];

/** Answers that a proxy sends too much, when another request may already wait on the connection. */
const surplus: readonly Kind[] = [5, 60, 110, 400].flatMap((wait): Kind[] => [
  {
    name: `the answer once more, ${wait} ms later`,
    reach: ["once"],
    answer: (service) => [...asService(service), { wait }, ...asService(service)],
  },
  {
    name: `the success of a contact too, ${wait} ms later`,
    reach: ["once"],
    answer: (service) => [...asService(service), { wait }, ...json(200, '{"success":true,"id":"con_surplus"}')],
  },
  {
    name: `a refusal too, ${wait} ms later`,
    reach: ["once"],
    answer: (service) => [...asService(service), { wait }, ...json(400, REFUSED)],
  },
]);

export const kinds: readonly Kind[] = [
  ...edgePages,
  ...otherForms,
  longWait,
  ...cuts,
  ...sizes,
  ...slowness,
  ...connections,
  ...ownForm,
  ...protocol,
  ...surplus,
];

export const spells: readonly Spell[] = [
  { name: "all traffic stalls", spell: "stall", ms: 1_200 },
  { name: "connections refused", spell: "refuse", ms: 1_000 },
  { name: "proxy restarted", spell: "restart", ms: 100 },
  { name: "outage: connections refused", spell: "refuse", ms: 15_000, delay: 20 },
  {
    name: "outage: silence",
    spell: "outage",
    ms: 25_000,
    delay: 30,
    answer: () => [{ wait: TIMEOUT + 1_000 }, { end: true }],
  },
  {
    name: "outage: 503 of the API",
    spell: "outage",
    ms: 12_000,
    delay: 16,
    answer: () => refusal(503, "unavailable", "No."),
  },
  {
    name: "outage: 507 of the API",
    spell: "outage",
    ms: 8_000,
    delay: 12,
    answer: () => refusal(507, "storage_full", "No."),
  },
  { name: "outage: page 200", spell: "outage", ms: 12_000, delay: 16, answer: () => page(200) },
  { name: "outage: page 521", spell: "outage", ms: 12_000, delay: 16, answer: () => page(521) },
  { name: "outage: resets", spell: "outage", ms: 12_000, delay: 16, answer: () => [{ reset: true }] },
];

/** A kind with its reach, or a spell. */
export type Fault = (Omit<Kind, "reach"> & { reach: Reach }) | Spell;

export const faults: readonly Fault[] = [
  ...kinds.flatMap(({ reach, ...kind }) => reach.map((one) => ({ ...kind, reach: one }))),
  ...spells,
];
