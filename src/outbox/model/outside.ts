import type { OutboxEnv } from "./config.ts";
import type { SourceSettings } from "./source-settings.ts";

/** What operations (alerts, fetch-back) need beside the engine. `fetch` and `sources` may be exchanged by tests. */
export type Outside = {
  /** The network at large; the engine's own goes to the email service. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  waitUntil(work: Promise<void>): void;
  /** By name. */
  sources: Readonly<Record<string, SourceSettings>>;
};

export type WatchEnv = OutboxEnv & {
  ALERT_WEBHOOK_URL?: string;
  ALERT_WEBHOOK_SECRET?: string;
  ALERT_BACKLOG_MINUTES?: string | number;
};

const DEFAULT_BACKLOG_MINUTES = 15;

/** Minutes after which what waits is a backlog that somebody should know of. */
export const backlogMinutesOf = ({ ALERT_BACKLOG_MINUTES }: WatchEnv): number =>
  Number(ALERT_BACKLOG_MINUTES) > 0 ? Number(ALERT_BACKLOG_MINUTES) : DEFAULT_BACKLOG_MINUTES;
