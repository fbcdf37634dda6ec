const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";

/** Returns an id such as `snd_k3j9…`: `length` characters of 0-9 and a-z (5.17 bits each). */
export const randomId = (prefix: string, length = 20): string => {
  let id = "";
  while (id.length < length) {
    // 252 is the largest multiple of 36 below 256.
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < 252 && id.length < length) id += alphabet[byte % 36];
    }
  }
  return `${prefix}_${id}`;
};
