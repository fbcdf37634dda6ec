/** Failures in a row that open a breaker. */
const FAILURES = 5;
/** Pause before the first probe, in ms. It doubles with each probe that fails. */
const PAUSE_MS = 30_000;
const MAX_PAUSE_MS = 300_000;
/** A probe without a result is forgotten after this time, in ms: longer than a lease and its questions. */
const PROBE_MS = 240_000;
/** Shortest and longest time that a mail is put off while another relay of its class works, in ms. */
const WAIT_MS = { least: 60_000, most: 1_800_000 };

/**
 * What keeps mail from a relay that cannot be used. `failures`: in a row. `since`: the first of them. `probeAt`: when an open
 * breaker lets one mail through; 0 while it is closed. `probe`: the row of that mail. Times in Unix ms.
 */
export type Breaker = {
  failures: number;
  since: number;
  probeAt: number;
  pause: number;
  probe?: { n: number; until: number };
  message: string;
};

/** Names what the breakers of a mail guard: its relay, and the settings for mail from its domain at that relay. */
export const guardsOf = (relay: string, domain: string) => ({ relay, settings: `${relay} from ${domain}` });
export type Guards = ReturnType<typeof guardsOf>;

/** Reads the name of what a breaker guards. `domain`: undefined for a relay. */
export const readGuard = (name: string): { relay: string; domain?: string } => {
  const [relay = "", domain] = name.split(" from ");
  return domain === undefined ? { relay } : { relay, domain };
};

export const isOpen = (breaker: Breaker | undefined): breaker is Breaker =>
  breaker !== undefined && breaker.probeAt > 0;

/** The breaker after an attempt that did not reach the relay, or got no answer. `n`: the row of the mail. */
export const failed = (before: Breaker | undefined, n: number, now: number, message: string): Breaker => {
  const failures = (before?.failures ?? 0) + 1;
  const since = before?.since ?? now;
  if (before && isOpen(before)) {
    // Mails that were in flight when it opened say nothing new.
    if (before.probe?.n !== n) return before;
    const pause = Math.min(MAX_PAUSE_MS, before.pause * 2);
    return { failures, since, pause, probeAt: now + pause, message };
  }
  return { failures, since, pause: PAUSE_MS, probeAt: failures >= FAILURES ? now + PAUSE_MS : 0, message };
};

/** How many mails may be claimed: all of them, one as a probe, or none. */
export const passage = (breaker: Breaker | undefined, now: number): "all" | "one" | "none" => {
  if (!isOpen(breaker)) return "all";
  return now >= breaker.probeAt && (breaker.probe === undefined || breaker.probe.until <= now) ? "one" : "none";
};

/** The breaker with this mail as its probe. */
export const probing = (breaker: Breaker, n: number, now: number): Breaker => ({
  ...breaker,
  probe: { n, until: now + PROBE_MS },
});

/** When an open breaker lets a mail through next, in Unix ms. */
export const opensAt = ({ probe, probeAt }: Breaker): number => Math.max(probeAt, probe?.until ?? 0);

/** When a mail that waits for an open breaker is due again: the longer the relay has failed, the later. */
export const waitsUntil = ({ since, probeAt }: Breaker, now: number): number =>
  Math.max(probeAt, now + Math.min(WAIT_MS.most, Math.max(WAIT_MS.least, now - since)));
