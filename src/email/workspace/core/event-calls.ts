/**
 * Counts the outside calls of one event of a team: orders, batches of webhooks, DNS questions and reports. Work that
 * finds none left waits for the alarm.
 *
 * @param most calls of an event, below the limit of the platform
 */
export const createEventCalls = (most: number) => {
  let left = most;
  return {
    /** Called as an event begins, for which the platform permits its calls again. */
    begin: (): void => {
      left = most;
    },
    hasLeft: (): boolean => left > 0,
    take: (calls = 1): void => {
      left -= calls;
    },
  };
};

export type EventCalls = ReturnType<typeof createEventCalls>;
