/** Words of a state on pages. `count`: how many have it. */
export const stateText = (state: string, count = 1): string =>
  state === "undecided" ? `${count === 1 ? "needs" : "need"} a decision` : state;
