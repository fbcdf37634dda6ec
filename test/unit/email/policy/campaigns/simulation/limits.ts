import type { ClaimedSend } from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Limits } from "./engine.ts";

const SPANS = [1_000, 3_600_000, 86_400_000] as const;

/** The send limits, and the times of claims while there was a limit. */
export type ModelLimits = { limits: Limits; claims: readonly { at: number; count: number }[] };

export const NO_LIMITS: ModelLimits = { limits: [null, null, null], claims: [] };

const isSet = (limits: Limits): boolean => limits.some((limit) => limit !== null);

export const withLimits = ({ limits: before, claims }: ModelLimits, limits: Limits): ModelLimits => ({
  limits,
  claims: isSet(before) ? claims : [],
});

/** Mails were claimed at `now`. `wrong`: the window with too many, including marketing mail. */
export const withClaims = (
  { limits, claims: before }: ModelLimits,
  sends: readonly ClaimedSend[],
  now: number,
): { model: ModelLimits; wrong: string | undefined } => {
  if (!isSet(limits) || sends.length === 0) return { model: { limits, claims: before }, wrong: undefined };
  const claims = [
    ...before.map(({ at, count }) => ({ at: Math.min(at, now), count })),
    { at: now, count: sends.length },
  ];
  const isMarketing = sends.some(({ marketing }) => marketing !== undefined);
  const wrong = SPANS.flatMap((span, index) => {
    const limit = limits[index] ?? Number.POSITIVE_INFINITY;
    const used = claims.reduce((sum, { at, count }) => (at > now - span ? sum + count : sum), 0);
    return isMarketing && used > limit ? [`${used} mails in ${span} ms, where ${limit} are allowed`] : [];
  });
  return { model: { limits, claims }, wrong: wrong[0] };
};
