/** Refunds and disputes name no customer; the order's webhook links them. */
export const orderRef = (id: number | string) => `order:${id}`;
