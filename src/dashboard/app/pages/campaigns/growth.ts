/** Percent by which an audience may grow before its campaign is held. The service has the same default. */
export const USUAL_GROWTH = 10;

export const GROWTHS = [
  { value: "0", label: "Hold it above today's number" },
  { value: String(USUAL_GROWTH), label: `Hold it above ${USUAL_GROWTH} % more` },
  { value: "25", label: "Hold it above 25 % more" },
  { value: "50", label: "Hold it above 50 % more" },
  { value: "100", label: "Hold it above twice as many" },
];

/** The most recipients of a start. */
export const mostOf = (recipients: number, growth: number): number =>
  recipients + Math.ceil((recipients * growth) / 100);
