/** Messages, or their first words, of calls that the bridge settled by itself. `npm run why` finds the remedy by them. */
export const reasons = {
  shadow: "The source is in shadow mode: this call would have been sent.",
  testData: 'Test data: the source does not have testData: "deliver".',
  notAllowed: "ALLOWED_RECIPIENTS does not contain this person's address.",
  noTemplate: "TEMPLATES has no transactionalId",
  noList: "LISTS has no id",
  expired: "expired",
  unknownOutcome: "The host may or may not have acted on it",
  tooOld: "too old",
} as const;
