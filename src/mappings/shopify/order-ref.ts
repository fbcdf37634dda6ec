/** The ref of an order: refunds and disputes name their order but no customer, and the order's webhook links the two. */
export const orderRef = (id: number | string) => `order:${id}`;
