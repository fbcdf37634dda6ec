/** `send`, `contact`, `message`: row numbers. `run`: workflow run, else 0. */
export type TrackedMail = { team: string; send: number; contact: number; message: number; run: number };

/**
 * `human`: probably a person. `proxy`: loads a picture on opening. `prefetch`: loads it in any case. `scanner`: a
 * program.
 */
export type Visitor = "human" | "proxy" | "prefetch" | "scanner";

/** Request of the open picture (`link` 0, `url` empty) or of a link. `place`: of the link in the mail, 1 for the first. */
export type Hit = { mail: TrackedMail; link: number; place?: number; url: string; visitor: Visitor };
