/**
 * Plan names by id of a price, plan or product; they override nickname and product name. Product names require
 * `product.created` and `product.updated`, plus `npm run backfill` for existing products.
 *
 * price_1SQn0bB7h3m8QwZxk2Yt5LsD: "Pro, monthly",
 */
export const PLANS: Readonly<Record<string, string>> = {};
