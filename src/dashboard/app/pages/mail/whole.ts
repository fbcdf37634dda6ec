import type { api } from "../../api/api.ts";

/** A mail with its story. */
export type Whole = Awaited<ReturnType<typeof api.email.sends.get>>;
