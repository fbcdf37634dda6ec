/** Share of contacts with a value, worded for a sample. */
export const shareOf = (filled: number, sampled: number): string => {
  if (sampled === 0) return "no contacts";
  const percent = (filled / sampled) * 100;
  if (filled === 0) return "0 %";
  if (percent < 1) return "under 1 %";
  return percent > 99 && filled < sampled ? "over 99 %" : `${Math.round(percent)} %`;
};
