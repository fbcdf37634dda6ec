// An SMTP sink in a separate process, which reports arrivals on request. Its argument: ms until it has taken a mail.
import { createServer, type Socket } from "node:net";

/** `last`: ms of `performance.timeOrigin + performance.now()`. */
export type Arrived = { mails: number; recipients: number; bytes: number; last: number };
export type FromSink = { port: number } | { arrived: Arrived } | { urgent: string; at: number };

const END = Buffer.from("\r\n.\r\n");
const REPLIES: Readonly<Record<string, string>> = {
  EHLO: "250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
  DATA: "354 go on\r\n",
  QUIT: "221 bye\r\n",
};

const delay = Number(process.argv[2] ?? 0);
const tell = (message: FromSink): void => void process.send?.(message);
const now = (): number => performance.timeOrigin + performance.now();
const arrived: Arrived = { mails: 0, recipients: 0, bytes: 0, last: 0 };
let recipients = new Set<string>();

const serve = (socket: Socket): void => {
  let rest: Buffer = Buffer.alloc(0);
  let recipient = "";
  let inData = false;
  let before = 0;

  const mailEnds = (bytes: number): void => {
    arrived.mails++;
    arrived.bytes += bytes;
    arrived.last = now();
    recipients.add(recipient);
    if (recipient.startsWith("urgent")) tell({ urgent: recipient, at: arrived.last });
    inData = false;
    before = 0;
  };
  const answer = (line: string): string => {
    const command = line.slice(0, 4).toUpperCase();
    if (command === "RCPT") recipient = line.slice(line.indexOf("<") + 1, line.indexOf(">"));
    inData = command === "DATA";
    return REPLIES[command] ?? "250 2.0.0 ok\r\n";
  };

  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.write("220 sink\r\n");
  socket.on("data", (chunk: Buffer) => {
    let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let out = "";
    let hasTaken = false;
    for (;;) {
      const end = inData ? bytes.indexOf(END) : bytes.indexOf("\r\n");
      if (end < 0) break;
      if (inData) {
        mailEnds(before + end + 2);
        hasTaken = true;
        out += "250 2.0.0 ok\r\n";
        bytes = bytes.subarray(end + END.length);
      } else {
        out += answer(bytes.toString("latin1", 0, end));
        bytes = bytes.subarray(end + 2);
      }
    }
    // The end marker may be split between two pieces.
    const kept = inData ? Math.min(bytes.length, END.length - 1) : bytes.length;
    if (inData) before += bytes.length - kept;
    rest = bytes.subarray(bytes.length - kept);
    if (hasTaken && delay > 0) setTimeout(() => socket.write(out), delay);
    else if (out !== "") socket.write(out);
  });
};

const server = createServer(serve).listen(0, "127.0.0.1", () => {
  const address = server.address();
  tell({ port: typeof address === "object" && address ? address.port : 0 });
});

process.on("message", (message) => {
  if (message === "drop") {
    Object.assign(arrived, { mails: 0, bytes: 0, last: 0 });
    recipients = new Set();
  }
  tell({ arrived: { ...arrived, recipients: recipients.size } });
});
process.on("disconnect", () => process.exit());
