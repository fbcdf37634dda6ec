import { connect } from "node:net";

/** A request as the bytes of HTTP/1.1. */
export type Wire = Buffer;

/** The result of a run: answers by status, requests per second without the warm-up, and ms until each answer. */
type Load = { statuses: Map<number, number>; perSecond: number; times: number[] };

/**
 * Sends requests over a number of connections, each as soon as the one before it on its connection was answered. Uses raw
 * sockets: an HTTP client would take more CPU time than what it measures.
 */
export const load = async (port: number, requests: readonly Wire[], connections: number): Promise<Load> => {
  const statuses = new Map<number, number>();
  const times: number[] = [];
  let next = 0;
  let answered = 0;
  let began = 0;
  let ended = 0;
  // The first tenth warms up connections, code and caches.
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

/** The length of the body that follows a head of HTTP/1.1. */
export const lengthOf = (head: string): number => Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
