import { api } from "../../api/api.ts";

export const peopleQuery = { queryKey: ["people"], queryFn: () => api.dashboard.people.list() } as const;

export type Person = Awaited<ReturnType<typeof api.dashboard.people.list>>["data"][number];
export type Passkey = NonNullable<Person["passkeys"]>[number];
