import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import type { Seen } from "./relay.ts";

/** The SMTP server of the npm package smtp-server on a free port. It accepts and keeps every mail. */
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
        // From here on the server owns the mail, even if its answer is lost.
        seen.mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          data: Buffer.concat(chunks),
        });
        callback();
      });
    },
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: (server.server.address() as AddressInfo).port, seen, stop: () => void server.close() };
};
