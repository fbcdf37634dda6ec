import { readdirSync, readFileSync } from "node:fs";

/** The rate on every Linux system that Node supports. */
const TICKS = 100;

type Process = { pid: number; name: string; parent: number; seconds: number };

const read = (pid: number): Process | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const name = stat.slice(stat.indexOf("(") + 1, stat.lastIndexOf(")"));
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, name, parent: Number(fields[1]), seconds: (Number(fields[11]) + Number(fields[12])) / TICKS };
  } catch {
    return undefined;
  }
};

/** Empty without /proc. */
export const workerdPids = (): number[] => {
  try {
    return readdirSync("/proc")
      .filter((name) => /^\d+$/.test(name))
      .map((name) => read(Number(name)))
      .flatMap((one) => (one?.name === "workerd" && one.parent === process.pid ? [one.pid] : []));
  } catch {
    return [];
  }
};

/** CPU time of a process in seconds; NaN without /proc. */
export const cpuSeconds = (pid: number | undefined): number =>
  (pid === undefined ? undefined : read(pid)?.seconds) ?? Number.NaN;

/** Memory of a process in MB; NaN without /proc. */
export const residentMegabytes = (pid: number | undefined): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
};

/** CPU time of all processes in seconds; NaN without /proc. */
export const allCpuSeconds = (): number => {
  try {
    const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0] = readFileSync("/proc/stat", "utf8")
      .split("\n", 1)
      .flatMap((line) => line.split(/\s+/).slice(1).map(Number));
    return (user + nice + system + interrupts + softInterrupts) / TICKS;
  } catch {
    return Number.NaN;
  }
};
