import { readdirSync, readFileSync } from "node:fs";

/** Ticks per second in /proc: 100 on every Linux that Node runs on. */
const TICKS = 100;

type Process = { pid: number; name: string; parent: number; seconds: number };

/** A process of Linux: its CPU time is that of the process itself and of the kernel for it, without its children. */
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

/** Numbers of the workerd processes that this process has started. None where there is no /proc. */
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

/** CPU time in seconds that a process has used; NaN where there is no /proc. */
export const cpuSeconds = (pid: number | undefined): number =>
  (pid === undefined ? undefined : read(pid)?.seconds) ?? Number.NaN;

/** Memory in MB that a process has in use; NaN where there is no /proc. */
export const residentMegabytes = (pid: number | undefined): number => {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
};

/** CPU time in seconds that all processes have used together; NaN where there is no /proc. */
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
