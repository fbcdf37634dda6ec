/** States of undelivered mail, indexed by the email service. */
export const TROUBLES = ["bounced", "complained", "not_sent", "failed", "unknown"] as const;

/** Mails by state and reason, most frequent first. */
export const reasonsOf = (
  mails: readonly { state: string; meaning: string }[],
): { state: string; why: string; count: number }[] => {
  const groups = Map.groupBy(mails, ({ state, meaning }) => JSON.stringify([state, meaning]));
  return [...groups.values()]
    .map((all) => ({ state: all[0]?.state ?? "", why: all[0]?.meaning ?? "", count: all.length }))
    .toSorted((a, b) => b.count - a.count);
};

/** Percent share. Only exact values show 0 % or 100 %. */
export const shareOf = (part: number, of: number): string => {
  const percent = (100 * part) / of;
  if (part > 0 && percent < 0.1) return "< 0.1 %";
  if (part < of && percent > 99.9) return "> 99.9 %";
  return `${percent.toLocaleString("en", { maximumFractionDigits: 1 })} %`;
};
