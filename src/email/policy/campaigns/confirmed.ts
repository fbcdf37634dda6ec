/** Share of the confirmed recipients that may come or go meanwhile, such as while a person types their number. */
const TOLERANCE = 0.01;

/** At least one, but where none was confirmed there is nothing to tolerate. */
const toleranceOf = (confirmed: number): number =>
  confirmed === 0 ? 0 : Math.max(1, Math.floor(TOLERANCE * confirmed));

/** Whether a campaign has more recipients than a person has confirmed. */
export const isMore = (recipients: number, confirmed: number): boolean =>
  recipients - confirmed > toleranceOf(confirmed);

/** Whether a campaign has another number of recipients than a person has confirmed. */
export const isOther = (recipients: number, confirmed: number): boolean =>
  Math.abs(recipients - confirmed) > toleranceOf(confirmed);
