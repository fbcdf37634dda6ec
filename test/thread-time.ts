/** Returns the CPU time of this thread that `work` takes, in ms. Other processes of a busy machine do not count. */
export const threadTime = (work: () => void): number => {
  const start = process.threadCpuUsage();
  work();
  return process.threadCpuUsage(start).user / 1_000;
};
