/** A mail ready to leave. Its id is the same on every attempt. */
export type Mail = {
  /** Id of the send. */
  id: string;
  /** Slug of the team. */
  team: string;
  /** Address without a name, as is `to`: the header From carries the name. */
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** In the order they are written: Unicode text, one line each; encoding them for the wire is the sender's job. */
  headers: Record<string, string>;
};

/** How an attempt ended. `retry`: whether the same mail may be handed over again later. */
export type Handover = { ok: true } | { ok: false; retry: boolean; message: string };

/**
 * Hands mail on. A sender that cannot tell whether a mail left (a time-out) answers `retry: true` only where a second
 * handover of the same id changes nothing. What it throws counts as such an unknown outcome.
 */
export type Sender = { name: string; send(mail: Mail): Promise<Handover> };
