import { type Route, routesOf } from "../../match.ts";
import { v1 } from "../../v1.ts";
import { fileContract } from "../email/files.ts";
import { adminContract } from "../email.ts";

/** The operations under `/admin` of the email Worker, by names such as "email.keys.create". */
export const emailRoutes: readonly Route[] = [
  ...routesOf(adminContract, "", "email."),
  ...routesOf(v1, "/teams/{team}/v1", "email.v1."),
  ...routesOf(fileContract, "", "email."),
];
