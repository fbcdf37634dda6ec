import { answer, type Step } from "./wire.ts";

export type ServiceAnswer = { status: number; headers: Record<string, string>; body: string };

export const JSON_TYPE = { "Content-Type": "application/json" };
export const HTML = { "Content-Type": "text/html; charset=utf-8", Server: "edge" };

/** An error page of the edge. */
export const page = (status: number, headers: Record<string, string> = {}): Step[] => {
  const text = `<!DOCTYPE html><html><title>${status}</title><h1>${status}</h1></html>`;
  return [{ send: answer(status, text, { ...HTML, ...headers }) }];
};

export const json = (status: number, body: string, headers: Record<string, string> = {}): Step[] => [
  { send: answer(status, body, { ...JSON_TYPE, ...headers }) },
];

export const refusal = (status: number, code: string, message: string, headers: Record<string, string> = {}): Step[] =>
  json(status, JSON.stringify({ success: false, code, message }), headers);

export const tooMany = (headers: Record<string, string> = {}) =>
  refusal(429, "rate_limited", "Too many requests.", headers);

/** The email service's answer, or an edge page if no email service is reached. */
export const asService = (service: ServiceAnswer | undefined): Step[] =>
  service ? [{ send: answer(service.status, service.body, service.headers) }] : page(502);

export const SUCCESS = '{"success":true,"id":"torture"}';
export const KEY_USED = '{"success":false,"code":"idempotency_key_used","message":"Idempotency key has been used"}';
export const REFUSED = '{"success":false,"code":"invalid_request","message":"email: is not a valid address"}';

export const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));

/** Half of a body with its full length announced. Then the connection ends. */
export const cutShort = (status: number, body: string): Step[] => [
  { send: answer(status, half(body), { ...JSON_TYPE, "Content-Length": String(body.length) }) },
  { wait: 20 },
  { end: true },
];
