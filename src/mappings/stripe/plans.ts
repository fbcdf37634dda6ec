import { mainItem, type PlanChoice, type PlanNames } from "../../rules/billing/plan-item.ts";

/**
 * Plan names by id of a price, plan or product; they override nickname and product name. Product names require
 * `product.created` and `product.updated`, plus `npm run backfill` for existing products.
 *
 * price_1SQn0bB7h3m8QwZxk2Yt5LsD: "Pro, monthly",
 */
export const PLANS: PlanNames = {};

/**
 * Chooses the plan among the items of a subscription, and among the lines of an invoice. An own choice goes first:
 *
 * items.find(({ product }) => product === "prod_TNyq4Zr8cWm1Hu") ?? mainItem(items, PLANS, former)
 */
export const planItem: PlanChoice = (items, former) => mainItem(items, PLANS, former);
