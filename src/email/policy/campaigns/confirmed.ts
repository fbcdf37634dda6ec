/** Recipients may change while a person confirms. */
const TOLERANCE = 0.01;

const toleranceOf = (confirmed: number): number =>
  confirmed === 0 ? 0 : Math.max(1, Math.floor(TOLERANCE * confirmed));

export const isOther = (recipients: number, confirmed: number): boolean =>
  Math.abs(recipients - confirmed) > toleranceOf(confirmed);

/** Default number of recipients above which a campaign that starts at once is held. */
export const mostAtOnce = (confirmed: number): number => confirmed + toleranceOf(confirmed);

/** The same of a campaign that starts at its time. An audience may grow by a tenth until then. */
export const mostLater = (confirmed: number): number => confirmed + Math.ceil(confirmed / 10);
