import { DAEMONS } from "./daemons.ts";
import type { Form } from "./mail.ts";
import { OFFICES } from "./offices.ts";
import { OTHERS } from "./others.ts";
import { UNIX } from "./unix.ts";

/** Forms of reports by the name of the server. */
export const FORMS: Readonly<Record<string, Form>> = { ...UNIX, ...OFFICES, ...DAEMONS, ...OTHERS };
