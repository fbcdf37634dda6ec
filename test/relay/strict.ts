import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Seen } from "./relay.ts";

/** The SMTP server of the npm package smtp-server on a free port of this machine. It takes every mail, and keeps what it took. */
export const startStrictServer = async (): Promise<{ port: number; seen: Pick<Seen, "mails">; stop(): void }> => {
  const seen: Pick<Seen, "mails"> = { mails: [] };
  const server = new SMTPServer({
    logger: false,
    disabledCommands: ["AUTH"],
    hideSTARTTLS: true,
    size: 1_000_000,
    onData: (stream, { envelope: { mailFrom, rcptTo } }, callback) => {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        // From here on the mail is the server's, also where its answer reaches nobody.
        seen.mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks),
        });
        callback();
      });
    },
  });
  // A process that is killed leaves its connections behind.
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.server.address() as AddressInfo).port, seen, stop: () => void server.close() };
};
