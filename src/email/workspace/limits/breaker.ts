const FAILURES = 5;
/** The pause before the first probe, in ms. It doubles with each failed probe. */
const PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;
const PROBE_MS = 240_000;
const WAIT_MS = { least: 60_000, most: 1_800_000 };

/**
 * `failures`: consecutive. `probeAt`: time of the next probe; 0 while closed. `probe`: row of the probe mail. Times
 * in Unix ms.
 */
export type Breaker = {
  failures: number;
  since: number;
  probeAt: number;
  pause: number;
  probe?: { n: number; until: number };
  message: string;
};

export const guardsOf = (sender: string, domain: string) => ({ sender, settings: `${sender} from ${domain}` });
export type Guards = ReturnType<typeof guardsOf>;

/** Parses the name of a breaker. `domain` is undefined for a mail provider. */
export const readGuard = (name: string): { sender: string; domain?: string } => {
  const [sender = "", domain] = name.split(" from ");
  return domain === undefined ? { sender } : { sender, domain };
};

export const isOpen = (breaker: Breaker | undefined): breaker is Breaker =>
  breaker !== undefined && breaker.probeAt > 0;

/** Returns the breaker after an attempt without connection or answer. */
export const failed = (before: Breaker | undefined, n: number, now: number, message: string): Breaker => {
  const failures = (before?.failures ?? 0) + 1;
  const since = before?.since ?? now;
  if (before && isOpen(before)) {
    // Mails in flight when it opened give no new information.
    if (before.probe?.n !== n) return before;
    const pause = Math.min(MAX_PAUSE_MS, before.pause * 2);
    return { failures, since, pause, probeAt: now + pause, message };
  }
  return { failures, since, pause: PAUSE_MS, probeAt: failures >= FAILURES ? now + PAUSE_MS : 0, message };
};

export const passage = (breaker: Breaker | undefined, now: number): "all" | "one" | "none" => {
  if (!isOpen(breaker)) return "all";
  return now >= breaker.probeAt && (breaker.probe === undefined || breaker.probe.until <= now) ? "one" : "none";
};

export const probing = (breaker: Breaker, n: number, now: number): Breaker => ({
  ...breaker,
  probe: { n, until: now + PROBE_MS },
});

/** Returns the Unix ms time of the next permitted mail. */
export const opensAt = ({ probe, probeAt }: Breaker): number => Math.max(probeAt, probe?.until ?? 0);

/** Returns the due time of a waiting mail; a longer outage gives a later time. */
export const waitsUntil = ({ since, probeAt }: Breaker, now: number): number =>
  Math.max(probeAt, now + Math.min(WAIT_MS.most, Math.max(WAIT_MS.least, now - since)));
