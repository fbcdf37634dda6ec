/**
 * The mail that an open picture or a tracked link belongs to. `send`, `contact`, `message`: n of their rows. `run`: number of the
 * contact's passage through a workflow, else 0.
 */
export type TrackedMail = { team: string; send: number; contact: number; message: number; run: number };

/**
 * Who loaded a picture or opened a link. `human`: a person, as far as a server can see. `proxy`: a privacy proxy that loads a
 * picture when the person opens the mail. `prefetch`: one that loads it whether the mail is read or not. `scanner`: a program.
 */
export type Visitor = "human" | "proxy" | "prefetch" | "scanner";

/** A request of the open picture (`link` 0, `url` empty) or of a link of a mail. */
export type Hit = { mail: TrackedMail; link: number; url: string; visitor: Visitor };
