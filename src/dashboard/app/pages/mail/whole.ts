import type { api } from "../../api/api.ts";

export type Whole = Awaited<ReturnType<typeof api.email.sends.get>>;
