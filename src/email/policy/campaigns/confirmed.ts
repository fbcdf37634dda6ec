/** Recipients may change while a person confirms. */
const TOLERANCE = 0.01;

const toleranceOf = (confirmed: number): number =>
  confirmed === 0 ? 0 : Math.max(1, Math.floor(TOLERANCE * confirmed));

export const isMore = (recipients: number, confirmed: number): boolean =>
  recipients - confirmed > toleranceOf(confirmed);

export const isOther = (recipients: number, confirmed: number): boolean =>
  Math.abs(recipients - confirmed) > toleranceOf(confirmed);
