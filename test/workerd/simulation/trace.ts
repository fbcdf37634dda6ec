type Trace = {
  lines: string[];
  /** @param detail text of the product: shown, but not hashed, so that a reworded message keeps the hash */
  say(what: string, detail?: string): void;
  hash(): string;
};

/** Hashes with cyrb53 (53 bits), line by line. */
export const createTrace = (elapsed: () => number): Trace => {
  const lines: string[] = [];
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  return {
    lines,
    say: (what, detail = "") => {
      const line = `${(elapsed() / 1000).toFixed(3).padStart(12)} s  ${what}`;
      lines.push(line + detail);
      for (let at = 0; at < line.length; at++) {
        const code = line.charCodeAt(at);
        a = Math.imul(a ^ code, 2_654_435_761);
        b = Math.imul(b ^ code, 1_597_334_677);
      }
    },
    hash: () => {
      const x = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
      const y = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
      return (4_294_967_296 * (2_097_151 & y) + (x >>> 0)).toString(16).padStart(14, "0");
    },
  };
};
