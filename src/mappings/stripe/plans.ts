/**
 * Names of plans for people, by the id of a price, a plan or a product. A name here wins over all others. You need one only
 * where the others are wrong or missing: the nickname of the price, or else the name of the product. A webhook of a
 * subscription has the nickname. It has no product name: enable `product.created` and `product.updated` at the endpoint,
 * and run `npm run backfill` for the products that you have already. The ids of test mode and live mode may stand side by
 * side.
 *
 *     price_1SQn0bB7h3m8QwZxk2Yt5LsD: "Pro, monthly",
 *     prod_TNyq4Zr8cWm1Hu: "Pro",
 */
export const PLANS: Readonly<Record<string, string>> = {};
