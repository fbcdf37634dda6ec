/** A mail ready to send. Its id is the same on every attempt. */
export type Mail = {
  /** Id of the send. */
  id: string;
  /** Slug of the team. */
  team: string;
  /** Address without a name, like `to`. The From header carries the name. */
  from: string;
  to: string;
  subject: string;
  html: string;
  text: string;
  /** In order, as Unicode text of one line each. The sender encodes them for the wire. */
  headers: Record<string, string>;
};

/** Result of an attempt. `retry`: true if the same mail may be handed over again later. */
export type Handover = { ok: true } | { ok: false; retry: boolean; message: string };

/**
 * Delivers mail. When the outcome is unknown (a timeout), a sender answers `retry: true` only if a second handover of
 * the same id changes nothing. An exception counts as such an unknown outcome.
 */
export type Sender = { name: string; send(mail: Mail): Promise<Handover> };
