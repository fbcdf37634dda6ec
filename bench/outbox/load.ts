import { connect } from "node:net";

/** An HTTP/1.1 request. */
export type Wire = Buffer;

/** `perSecond`: without the warm-up. */
type Load = { statuses: Map<number, number>; perSecond: number; times: number[] };

/** Raw sockets keep the client's CPU time low. */
export const load = async (port: number, requests: readonly Wire[], connections: number): Promise<Load> => {
  const statuses = new Map<number, number>();
  const times: number[] = [];
  let next = 0;
  let answered = 0;
  let began = 0;
  let ended = 0;
  // Warm-up.
  const warm = Math.floor(requests.length / 10);
  const one = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: "127.0.0.1", noDelay: true });
      let text = "";
      let sent = 0;
      const send = () => {
        const request = requests[next++];
        sent = performance.now();
        if (!request) {
          socket.destroy();
          resolve();
        } else socket.write(request);
      };
      socket.on("connect", send);
      socket.on("error", reject);
      socket.on("data", (data) => {
        text += data.toString("latin1");
        const head = text.indexOf("\r\n\r\n");
        if (head < 0 || text.length < head + 4 + lengthOf(text.slice(0, head))) return;
        const status = Number(text.slice(9, 12));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        text = "";
        times.push(performance.now() - sent);
        answered++;
        if (answered === warm) began = performance.now();
        if (answered === requests.length) ended = performance.now();
        send();
      });
    });
  await Promise.all(Array.from({ length: connections }, one));
  return { statuses, perSecond: ((requests.length - warm) / (ended - began)) * 1000, times };
};

export const lengthOf = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
